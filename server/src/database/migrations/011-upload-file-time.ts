import { type Kysely, sql } from 'kysely';

/**
 * The modification time of an upload's file, according to the browser: an upload can only be resumed with the same
 * version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table uploads add column file_modified timestamptz`.execute(db);
}
