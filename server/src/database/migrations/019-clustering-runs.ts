import { type Kysely, sql } from 'kysely';

/** Which attempt clusters a draft now: an earlier one that is still under way must not decide anything any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table drafts add column run_id text`.execute(db);
}
