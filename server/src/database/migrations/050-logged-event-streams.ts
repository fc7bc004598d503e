import { type Kysely, sql } from 'kysely';

/** Older databases have this table without a log: see the first migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table event_streams set logged`.execute(db);
}
