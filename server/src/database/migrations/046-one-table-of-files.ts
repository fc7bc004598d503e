import { type Kysely, sql } from 'kysely';

/**
 * One table of all objects, of which some count for an account.
 *
 * Servers of 0.1.0 still use `stored_keys`, which now shows the keys of that table. They record an object before they count it, and
 * when they count one that is there, they set its bytes only: a trigger makes room for the row that they meant to insert.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stored_files alter account_id drop not null, alter bytes drop not null`.execute(db);
  await sql`insert into stored_files (key) select key from stored_keys on conflict do nothing`.execute(db);
  await sql`drop table stored_keys`.execute(db);
  await sql`create view stored_keys as select key from stored_files`.execute(db);
  await sql`
    create function replace_recorded_file() returns trigger language plpgsql as $$
    begin
      delete from stored_files where key = new.key and account_id is null;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger replace_recorded_file before insert on stored_files
      for each row when (new.account_id is not null) execute function replace_recorded_file()`.execute(db);
}
