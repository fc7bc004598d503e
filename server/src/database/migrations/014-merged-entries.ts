import { type Kysely, sql } from 'kysely';

/** How many entries of each file repeat a keyword; absent for packs from before entries were merged. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table visualizations add column merged integer`.execute(db);
}
