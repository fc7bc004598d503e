import { type Kysely, sql } from 'kysely';

/** Pictures of users and when to look them up again; when which emails were deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table avatars (
      account_id text primary key references accounts (id) on delete cascade,
      looked_up_at timestamptz not null,
      look_again_at timestamptz not null,
      asked_photo_url text,
      picture bytea,
      content_type text check (content_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
      etag text,
      check (num_nulls(picture, content_type, etag) in (0, 3))
    )`.execute(db);
  await sql`
    create index audit_log_deleted_emails on audit_log ((details->>'email'), at)
      where action in ('delete', 'delete-records')`.execute(db);
}
