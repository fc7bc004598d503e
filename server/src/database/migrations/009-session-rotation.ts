import { type Kysely, sql } from 'kysely';

/** A session's token can be due for a new one, and the one before it goes on for a moment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions
      add column rotation_due boolean not null default false,
      add column previous_hash bytea unique,
      add column previous_until timestamptz`.execute(db);
}
