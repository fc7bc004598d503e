import { type Kysely, sql } from 'kysely';

/** Plans: what a person writes about the nodes of their data, and every change of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table plans (
      id text primary key,
      owner_id text not null references accounts (id) on delete cascade,
      of_sample boolean not null,
      root_hash text not null check (root_hash ~ '^[0-9a-f]{64}$'),
      revision bigint not null default 0,
      matching bigint not null default 0,
      created_at timestamptz not null,
      unique (owner_id, of_sample, root_hash)
    )`.execute(db);
  await sql`
    create table plan_entries (
      id text primary key,
      plan_id text not null references plans (id) on delete cascade,
      kind text not null check (kind in ('branch', 'keyword')),
      is_planned boolean not null,
      path_hashes text[] not null check (cardinality(path_hashes) > 0),
      paths jsonb not null,
      fields jsonb not null,
      marks jsonb not null,
      fingerprint bytea not null,
      keywords integer not null,
      volume double precision,
      rev bigint not null,
      added_by text not null,
      added_at timestamptz not null,
      removed_at timestamptz
    )`.execute(db);
  // A place has one entry. Removed entries keep their place, and another may take it meanwhile.
  await sql`
    create unique index plan_entries_place on plan_entries (plan_id, (path_hashes[1])) where is_planned`.execute(db);
  await sql`create index plan_entries_changed on plan_entries (plan_id, rev, id)`.execute(db);
  await sql`create index plan_entries_paths on plan_entries using gin (path_hashes)`.execute(db);
  await sql`
    create table plan_changes (
      id bigint generated always as identity primary key,
      plan_id text not null references plans (id) on delete cascade,
      entry_id text not null references plan_entries (id) on delete cascade,
      revision bigint not null,
      field text not null,
      before jsonb not null,
      after jsonb not null,
      by_account text not null,
      at timestamptz not null,
      batch text not null
    )`.execute(db);
  await sql`create index plan_changes_of on plan_changes (entry_id, id)`.execute(db);
  await sql`create index plan_changes_batch on plan_changes (plan_id, batch)`.execute(db);
  await sql`
    create table plan_batches (
      plan_id text not null references plans (id) on delete cascade,
      batch text not null,
      answer jsonb not null,
      at timestamptz not null,
      primary key (plan_id, batch)
    )`.execute(db);
}
