import { type Kysely, sql } from 'kysely';

/** Links that allow editing the plan, the colleague who has opened a link, and assignments that a mail is to tell about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table share_links
    add column may_edit_plan boolean not null default false,
    add column opened_by text references accounts (id) on delete set null`.execute(db);
  await sql`create index share_links_opened_by on share_links (opened_by)`.execute(db);
  await sql`
    create table plan_assignments (
      account_id text not null references accounts (id) on delete cascade,
      entry_id text not null references plan_entries (id) on delete cascade,
      visualization_id text not null references visualizations (id) on delete cascade,
      by_account text not null,
      at timestamptz not null,
      primary key (account_id, entry_id)
    )`.execute(db);
  await sql`create index plan_assignments_of on plan_assignments (entry_id)`.execute(db);
  await sql`create index plan_assignments_in on plan_assignments (visualization_id)`.execute(db);
}
