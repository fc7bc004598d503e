import { type Kysely, sql } from 'kysely';

/** Which emails people get, and whether a program sent an upload: people are told of those by email. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mail_settings (
      account_id text primary key references accounts (id) on delete cascade,
      imports boolean not null,
      assignments boolean not null
    )`.execute(db);
  await sql`alter table uploads add column by_program boolean not null default false`.execute(db);
}
