import { type Kysely, sql } from 'kysely';

/**
 * The only permitted change of the audit log: removing the emails of a deleted user. The server's role cannot update
 * lines. The function does so as its owner, for deleted accounts, and removes nothing else.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function refuse_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and current_setting('kc.forgetting', true) = 'on' then return null; end if;
        raise exception 'audit_log is append-only';
      end
    $$`.execute(db);
  // Accounts merged into the deleted one belonged to the same person.
  await sql`
    create function forget_deleted(gone text) returns bigint
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare changed bigint;
      begin
        if exists (select from accounts where id = gone) then raise exception 'this account is not deleted'; end if;
        perform set_config('kc.forgetting', 'on', true);
        with recursive person(id) as (
          select gone
          union
          select line.target from audit_log line join person on line.details->>'to' = person.id
            where line.action in ('migrate', 'duplicate')
              and not exists (select from accounts where accounts.id = line.target)
        )
        update audit_log set details = details - array['email', 'from', 'to']
          where target in (select id from person) and action in ('delete', 'delete-records', 'email')
            and details ?| array['email', 'from', 'to'];
        get diagnostics changed = row_count;
        perform set_config('kc.forgetting', 'off', true);
        return changed;
      end
    $$`.execute(db);
}
