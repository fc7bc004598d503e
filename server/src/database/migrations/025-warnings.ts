import { type Kysely, sql } from 'kysely';

/** Warnings that are no problem, and thresholds. They belong to the owner and the root of the data, as plans do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dismissed_warnings (
      id text primary key,
      owner_id text not null references accounts (id) on delete cascade,
      of_sample boolean not null,
      root_hash text not null check (root_hash ~ '^[0-9a-f]{64}$'),
      kind text not null,
      path jsonb not null,
      subject text not null,
      subject_hash text not null check (subject_hash ~ '^[0-9a-f]{64}$'),
      dismissed_by text not null,
      dismissed_at timestamptz not null,
      unique (owner_id, of_sample, root_hash, subject_hash)
    )`.execute(db);
  await sql`
    create table warning_thresholds (
      owner_id text not null references accounts (id) on delete cascade,
      of_sample boolean not null,
      root_hash text not null check (root_hash ~ '^[0-9a-f]{64}$'),
      thresholds jsonb not null,
      primary key (owner_id, of_sample, root_hash)
    )`.execute(db);
}
