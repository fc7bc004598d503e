import { type Kysely, sql } from 'kysely';

/** Saved views. They belong to the owner and the root of the data, which a newer upload has again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_views (
      id text primary key,
      account_id text not null references accounts (id) on delete cascade,
      owner_id text not null references accounts (id) on delete cascade,
      root_name text not null,
      name text not null check (name <> ''),
      state text not null check (state ~ '^[A-Za-z0-9_*.+%&=-]*$'),
      position integer not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index saved_views_of on saved_views (account_id, owner_id)`.execute(db);
  await sql`create index saved_views_owner on saved_views (owner_id)`.execute(db);
}
