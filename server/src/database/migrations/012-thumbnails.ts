import { type Kysely, sql } from 'kysely';

/** The two upper levels of each visualization, to be drawn small; none where the pack was made before there were any. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table visualizations add column thumbnail jsonb`.execute(db);
}
