import { type Kysely, sql } from 'kysely';

/** The settings, one row; and the results of audited actions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table settings (
      only_row boolean primary key default true check (only_row),
      version integer not null,
      default_depth text not null check (default_depth in ('1', '2', '3', 'all')),
      auto_expand boolean not null,
      open_registration boolean not null,
      auto_approve boolean not null check (open_registration or not auto_approve),
      dark_mode boolean not null,
      data_refresh_interval text not null check (data_refresh_interval in ('5', '15', '30', '60', 'none')),
      theme_chosen boolean not null,
      policy_enforced boolean not null
    )`.execute(db);
  await sql`insert into settings values (true, 1, '2', true, false, false, false, '30', false, false)`.execute(db);
  await sql`
    alter table audit_log add column result text not null default 'ok'
      check (result in ('ok', 'refused', 'failed'))`.execute(db);
  await sql`create index audit_log_by_action on audit_log (action, id desc)`.execute(db);
}
