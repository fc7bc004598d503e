import { type Kysely, sql } from 'kysely';

/**
 * What people corrected in the reading of a file's members: what an upload is to be read by, what a visualization is to
 * be read by, and what its pack was read by. Absent: by the names alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table uploads add column field_map jsonb`.execute(db);
  await sql`alter table visualizations add column field_map jsonb`.execute(db);
  await sql`alter table visualizations add column pack_field_map jsonb`.execute(db);
}
