import { type Kysely, sql } from 'kysely';

/** Earlier revisions of drafts, which requests under way still read. Each ends with the retention of its pack. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table past_revisions (
      view_id text primary key,
      draft_id text not null references drafts (id) on delete cascade,
      pack_key text not null references deleted_files (key) on delete cascade,
      file_key text not null,
      pack_version integer not null,
      file_size bigint not null,
      nodes integer not null,
      keywords integer not null,
      merged integer,
      root_name text not null
    )`.execute(db);
  await sql`create index past_revisions_of_draft on past_revisions (draft_id)`.execute(db);
  await sql`create index past_revisions_by_pack on past_revisions (pack_key)`.execute(db);
}
