import { type Kysely, sql } from 'kysely';

/** The two upper levels of each visualization, for thumbnails; absent for packs from before they existed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table visualizations add column thumbnail jsonb`.execute(db);
}
