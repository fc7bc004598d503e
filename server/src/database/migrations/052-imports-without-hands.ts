import { type Kysely, sql } from 'kysely';

/** Lists that programs bring: how their drafts go on, and what people want of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table drafts add column hands_off jsonb, add column open_questions jsonb`.execute(db);
  await sql`
    create table import_settings (
      account_id text primary key references accounts (id) on delete cascade,
      publishes boolean not null
    )`.execute(db);
}
