import { type Kysely, sql } from 'kysely';

/** Links to a visualization, for a colleague or for people without an account, and the browsers that opened them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table share_links (
      id text primary key,
      token_hash bytea not null unique check (octet_length(token_hash) = 32),
      visualization_id text not null references visualizations (id) on delete cascade,
      maker_id text not null references accounts (id) on delete cascade,
      kind text not null check (kind in ('colleague', 'client')),
      shared_with text not null check (shared_with <> ''),
      with_plan boolean not null,
      with_downloads boolean not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz,
      opened_at timestamptz,
      opened integer not null default 0
    )`.execute(db);
  await sql`create index share_links_of on share_links (visualization_id)`.execute(db);
  await sql`create index share_links_by on share_links (maker_id)`.execute(db);
  await sql`
    create table share_sessions (
      token_hash bytea primary key check (octet_length(token_hash) = 32),
      link_id text not null references share_links (id) on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index share_sessions_of on share_sessions (link_id)`.execute(db);
  await sql`alter table settings add column client_links boolean not null default false`.execute(db);
}
