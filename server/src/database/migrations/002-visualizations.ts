import { type Kysely, sql } from 'kysely';

/** Running uploads and the visualizations made from them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table uploads (
      id text primary key check (id ~ '^[0-9a-f]{32}$'),
      uploader_id text not null references accounts (id) on delete cascade,
      user_id text not null references accounts (id) on delete cascade,
      file_name text not null,
      description text not null,
      size bigint not null check (size > 0),
      received bigint not null default 0 check (received between 0 and size),
      state text not null default 'receiving'
        check (state in ('receiving', 'received', 'reading', 'saving', 'active', 'failed')),
      share double precision not null default 0,
      attempts integer not null default 0,
      refusal jsonb,
      warning jsonb,
      file_key text not null unique,
      pack_key text not null unique,
      created_at timestamptz not null,
      touched_at timestamptz not null
    )`.execute(db);
  await sql`create index uploads_by_touch on uploads (touched_at)`.execute(db);
  await sql`
    create table visualizations (
      id text primary key,
      user_id text not null references accounts (id) on delete cascade,
      upload_id text unique,
      file_name text not null,
      storage_path text not null,
      uploaded_by text not null,
      uploaded_at timestamptz not null,
      is_active boolean not null,
      is_sample boolean not null default false,
      file_size bigint not null,
      description text not null,
      keywords integer not null,
      nodes integer not null,
      root_name text not null,
      file_key text not null unique,
      pack_key text not null unique,
      source_hash text
    )`.execute(db);
  // A user has at most one active visualization: the database itself enforces this.
  await sql`create unique index visualizations_one_active on visualizations (user_id) where is_active`.execute(db);
  await sql`create index visualizations_of_user on visualizations (user_id, uploaded_at desc)`.execute(db);
}
