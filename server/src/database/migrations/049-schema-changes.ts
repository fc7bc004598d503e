import { type Kysely, sql } from 'kysely';

/**
 * For each migration from this one on, which servers can go on beside those that know it: `needs` is the migration that they must
 * know at least, and null stands for any.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table schema_changes (name text primary key, needs text)`.execute(db);
}
