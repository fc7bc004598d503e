import { type Kysely, sql } from 'kysely';

/** One table of all objects, of which some count for an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stored_files alter account_id drop not null, alter bytes drop not null`.execute(db);
  await sql`insert into stored_files (key) select key from stored_keys on conflict do nothing`.execute(db);
  await sql`drop table stored_keys`.execute(db);
}
