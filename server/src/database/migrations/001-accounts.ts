import { type Kysely, sql } from 'kysely';

/** Accounts, passwords, sessions, single-use tokens, the audit log and rate limits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table accounts (
      id text primary key,
      email text not null check (email = lower(email) and length(email) <= 254),
      display_name text not null default '',
      photo_url text,
      role text not null default 'user' check (role in ('admin', 'user')),
      status text not null default 'pending' check (status in ('pending', 'approved', 'denied')),
      email_proven_at timestamptz,
      created_by text not null default 'system',
      is_sample boolean not null default false,
      built_in boolean not null default false,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      last_login timestamptz,
      migrated_from text,
      migrated_to text,
      migrated_at timestamptz
    )`.execute(db);
  await sql`create unique index accounts_email on accounts (email) where migrated_to is null`.execute(db);
  await sql`create index accounts_listed on accounts (status, created_at desc)`.execute(db);
  await sql`
    create table credentials (
      account_id text primary key references accounts (id) on delete cascade,
      password_hash text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`
    create table sessions (
      id text primary key,
      token_hash bytea not null unique,
      account_id text not null references accounts (id) on delete cascade,
      remembered boolean not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index sessions_account on sessions (account_id)`.execute(db);
  await sql`create index sessions_expiry on sessions (expires_at)`.execute(db);
  await sql`
    create table tokens (
      token_hash bytea primary key,
      purpose text not null,
      account_id text not null references accounts (id) on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index tokens_account on tokens (account_id, purpose)`.execute(db);
  await sql`
    create table rate_limits (
      key text primary key,
      window_start timestamptz not null,
      uses integer not null
    )`.execute(db);
  // Not unlogged, although losing it would harm nobody: if the creation of an unlogged table is rolled back and PostgreSQL is killed
  // right afterwards, it cannot start again ("could not create file", in the reset of unlogged relations after recovery).
  await sql`
    create table event_streams (
      id text primary key,
      account_id text not null references accounts (id) on delete cascade,
      seen_at timestamptz not null
    )`.execute(db);
  await sql`create index event_streams_account on event_streams (account_id)`.execute(db);
  await createAuditLog(db);
}

/** The log refers to accounts by ID without a foreign key: it outlives them. */
async function createAuditLog(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      actor text not null,
      action text not null,
      target text not null,
      details jsonb not null default '{}'
    )`.execute(db);
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
      begin raise exception 'audit_log is append-only'; end
    $$`.execute(db);
  await sql`
    create trigger audit_log_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_change()`.execute(db);
}
