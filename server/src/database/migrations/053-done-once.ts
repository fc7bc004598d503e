import { type Kysely, sql } from 'kysely';

/** What happens once however often it is repeated: requests with a key, and files of the import folder. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotent_answers (
      key_hash bytea primary key,
      account_id text not null references accounts (id) on delete cascade,
      request_hash bytea,
      answer bytea,
      begun_at timestamptz not null
    )`.execute(db);
  await sql`create index idempotent_answers_of on idempotent_answers (account_id)`.execute(db);
  await sql`create index idempotent_answers_begun on idempotent_answers (begun_at)`.execute(db);
  await sql`
    create table imported_files (
      account_id text not null references accounts (id) on delete cascade,
      place text not null,
      content_hash bytea not null,
      upload_id text not null,
      begun_at timestamptz not null,
      primary key (account_id, place, content_hash)
    )`.execute(db);
}
