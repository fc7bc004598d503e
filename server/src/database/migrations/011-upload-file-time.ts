import { type Kysely, sql } from 'kysely';

/** When the file of an upload was changed last, as the browser says: an upload goes on with the same version only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table uploads add column file_modified timestamptz`.execute(db);
}
