import { type Kysely, sql } from 'kysely';

/** The CRC-32 of what has arrived of an upload, and of the original of a visualization; null where it was never computed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table uploads add column checksum bigint`.execute(db);
  await sql`alter table visualizations add column file_checksum bigint`.execute(db);
}
