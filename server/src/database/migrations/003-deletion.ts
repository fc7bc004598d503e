import { type Kysely, sql } from 'kysely';

/**
 * For deleting accounts: locked credentials that outlive them, tokens of a session, and files in their retention
 * period.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Account and credential are two records: the fallback of a deletion removes one and locks the other.
  await sql`alter table credentials drop constraint credentials_account_id_fkey`.execute(db);
  await sql`alter table credentials add column locked_at timestamptz`.execute(db);
  await sql`alter table tokens add column session_id text references sessions (id) on delete cascade`.execute(db);
  await sql`create index tokens_session on tokens (session_id)`.execute(db);
  await sql`
    create table deleted_files (
      key text primary key,
      remove_after timestamptz not null
    )`.execute(db);
  // Deleting a user twice has the same result: the log knows deleted accounts.
  await sql`
    create index audit_log_deletions on audit_log (target) where action in ('delete', 'delete-records')`.execute(db);
}
