import { type Kysely, sql } from 'kysely';

/** A session can be due for a new token; the previous one stays valid for a moment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions
      add column rotation_due boolean not null default false,
      add column previous_hash bytea unique,
      add column previous_until timestamptz`.execute(db);
}
