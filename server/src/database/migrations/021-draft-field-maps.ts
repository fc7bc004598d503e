import { type Kysely, sql } from 'kysely';

/** What people corrected in the reading of a map's members goes with its drafts, which have the same members. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table drafts add column field_map jsonb`.execute(db);
}
