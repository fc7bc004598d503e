import { type Kysely, sql } from 'kysely';

/** Filters that people saved under a name, for all their data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table filter_presets (
      id text primary key,
      account_id text not null references accounts (id) on delete cascade,
      name text not null check (name <> ''),
      filter text not null check (filter <> ''),
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index filter_presets_of on filter_presets (account_id)`.execute(db);
}
