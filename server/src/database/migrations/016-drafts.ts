import { type Kysely, sql } from 'kysely';

/** Keyword lists, the drafts made of them, and the settings by which users may import lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table drafts (
      id text primary key check (id ~ '^[0-9a-f]{32}$'),
      owner_id text not null references accounts (id) on delete cascade,
      begun_by text not null references accounts (id) on delete cascade,
      name text not null check (name <> ''),
      description text not null,
      origin text not null check (origin in ('lists', 'visualization')),
      base_id text references visualizations (id) on delete set null,
      branch text,
      state text not null check (state in
        ('receiving', 'queued', 'working', 'ready', 'stopped', 'failed', 'publishing', 'published')),
      stage text,
      done bigint,
      total bigint,
      share double precision not null default 0,
      attempts integer not null default 0,
      refusal jsonb,
      warnings jsonb not null default '[]',
      settings jsonb not null,
      method text check (method in ('columns', 'results', 'text')),
      report jsonb,
      graph_key text unique,
      operation integer not null default 0 check (operation >= 0),
      view_id text unique,
      file_key text unique,
      pack_key text unique,
      pack_version integer not null default 0,
      file_size bigint not null default 0,
      nodes integer not null default 0,
      keywords integer not null default 0,
      merged integer,
      root_name text not null default '',
      stop integer,
      counts jsonb,
      marks jsonb,
      upload_id text,
      lease_by text references accounts (id) on delete set null,
      lease_until timestamptz,
      created_at timestamptz not null,
      touched_at timestamptz not null,
      check ((view_id is null) = (file_key is null) and (view_id is null) = (pack_key is null))
    )`.execute(db);
  await sql`create index drafts_of_owner on drafts (owner_id, created_at desc)`.execute(db);
  await sql`create index drafts_begun_by on drafts (begun_by)`.execute(db);
  await sql`create index drafts_by_touch on drafts (touched_at)`.execute(db);
  await sql`
    create table draft_operations (
      draft_id text not null references drafts (id) on delete cascade,
      number integer not null check (number > 0),
      account_id text not null,
      operation jsonb not null,
      at timestamptz not null,
      primary key (draft_id, number)
    )`.execute(db);
  await sql`
    alter table uploads
      add column kind text not null default 'json' check (kind in ('json', 'list')),
      add column draft_id text references drafts (id) on delete cascade,
      add column place integer not null default 0,
      add column corrections jsonb,
      add check (kind = 'json' or draft_id is not null)`.execute(db);
  await sql`alter table uploads drop constraint uploads_state_check`.execute(db);
  await sql`
    alter table uploads add constraint uploads_state_check
      check (state in ('receiving', 'received', 'reading', 'saving', 'active', 'failed', 'kept'))`.execute(db);
  await sql`create index uploads_of_draft on uploads (draft_id, place) where draft_id is not null`.execute(db);
  await sql`
    create table visualization_lists (
      visualization_id text not null references visualizations (id) on delete cascade,
      place integer not null,
      name text not null,
      size bigint not null,
      file_key text not null unique,
      primary key (visualization_id, place)
    )`.execute(db);
  await sql`
    alter table settings
      add column user_imports boolean not null default false,
      add column max_user_visualizations integer not null default 5 check (max_user_visualizations between 1 and 1000),
      add column max_user_import_mb integer not null default 100 check (max_user_import_mb between 1 and 3072)`.execute(
    db,
  );
}
