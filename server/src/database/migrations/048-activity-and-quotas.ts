import { type Kysely, sql } from 'kysely';

/**
 * Old lines of the activity log may be removed, but only by this function, which spares the last 30 days whatever the server
 * asks for. `activity_cursor` says which lines were written to the server's log. Accounts may have limits of their own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function refuse_change() returns trigger language plpgsql as $$
      begin
        if tg_op in ('UPDATE', 'DELETE') and current_setting('kc.forgetting', true) = 'on' then return null; end if;
        raise exception 'audit_log is append-only';
      end
    $$`.execute(db);
  await sql`
    create function forget_activity(before timestamptz, most integer) returns bigint
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare gone bigint;
      begin
        if before > clock_timestamp() - interval '30 days' then
          raise exception 'the activity of the last 30 days is kept';
        end if;
        perform set_config('kc.forgetting', 'on', true);
        delete from audit_log where id in (select id from audit_log where at < before order by at limit most);
        get diagnostics gone = row_count;
        perform set_config('kc.forgetting', 'off', true);
        return gone;
      end
    $$`.execute(db);
  await sql`create index audit_log_at on audit_log (at)`.execute(db);
  // The metrics ask for the newest backup again and again.
  await sql`create index audit_log_backups on audit_log (at) where action = 'backup'`.execute(db);
  await sql`create table activity_cursor (shipped bigint not null)`.execute(db);
  await sql`insert into activity_cursor (shipped) values (0)`.execute(db);
  await sql`
    alter table accounts
      add column max_visualizations integer check (max_visualizations >= 0),
      add column max_storage_mb integer check (max_storage_mb >= 0)`.execute(db);
}
