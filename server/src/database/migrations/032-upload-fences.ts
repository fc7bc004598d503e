import { type Kysely, sql } from 'kysely';

/** A server that lost the lock of an upload, and does not know it yet, can record nothing more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table uploads add column fence bigint not null default 0`.execute(db);
}
