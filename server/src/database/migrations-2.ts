import { sql } from 'kysely';
import type { Migrations } from './migrations-1.ts';

/** Those since plans, the next one at the end. A released migration is never changed. */
export const laterMigrations: Migrations = {
  /** Warnings that are no problem, and thresholds. They belong to the owner and the root of the data, as plans do. */
  '025-warnings': {
    async up(db) {
      await sql`
        create table dismissed_warnings (
          id text primary key,
          owner_id text not null references accounts (id) on delete cascade,
          of_sample boolean not null,
          root_hash text not null check (root_hash ~ '^[0-9a-f]{64}$'),
          kind text not null,
          path jsonb not null,
          subject text not null,
          subject_hash text not null check (subject_hash ~ '^[0-9a-f]{64}$'),
          dismissed_by text not null,
          dismissed_at timestamptz not null,
          unique (owner_id, of_sample, root_hash, subject_hash)
        )`.execute(db);
      await sql`
        create table warning_thresholds (
          owner_id text not null references accounts (id) on delete cascade,
          of_sample boolean not null,
          root_hash text not null check (root_hash ~ '^[0-9a-f]{64}$'),
          thresholds jsonb not null,
          primary key (owner_id, of_sample, root_hash)
        )`.execute(db);
    },
  },
  /** Links to a visualization, for a colleague or for people without an account, and the browsers that opened them. */
  '026-links': {
    async up(db) {
      await sql`
        create table share_links (
          id text primary key,
          token_hash bytea not null unique check (octet_length(token_hash) = 32),
          visualization_id text not null references visualizations (id) on delete cascade,
          maker_id text not null references accounts (id) on delete cascade,
          kind text not null check (kind in ('colleague', 'client')),
          shared_with text not null check (shared_with <> ''),
          with_plan boolean not null,
          with_downloads boolean not null,
          created_at timestamptz not null,
          expires_at timestamptz not null,
          revoked_at timestamptz,
          opened_at timestamptz,
          opened integer not null default 0
        )`.execute(db);
      await sql`create index share_links_of on share_links (visualization_id)`.execute(db);
      await sql`create index share_links_by on share_links (maker_id)`.execute(db);
      await sql`
        create table share_sessions (
          token_hash bytea primary key check (octet_length(token_hash) = 32),
          link_id text not null references share_links (id) on delete cascade,
          created_at timestamptz not null,
          expires_at timestamptz not null
        )`.execute(db);
      await sql`create index share_sessions_of on share_sessions (link_id)`.execute(db);
      await sql`alter table settings add column client_links boolean not null default false`.execute(db);
    },
  },
  /** The newest of the twelve months of a file that numbers them, as a person says it is: `2026-04`. */
  '027-newest-month': {
    async up(db) {
      await sql`
        alter table visualizations add column newest_month text
          check (newest_month ~ '^\\d{4}-(0[1-9]|1[0-2])$')`.execute(db);
    },
  },
  /** Moves of branches that nothing has followed yet, because their map was saved without being made active. */
  '030-pending-moves': {
    async up(db) {
      await sql`
        create table pending_moves (
          visualization_id text primary key references visualizations (id) on delete cascade,
          moves jsonb not null
        )`.execute(db);
    },
  },
  /** Scores are saved beside filters, under names as well. */
  '031-presets': {
    async up(db) {
      await sql`alter table filter_presets rename to presets`.execute(db);
      await sql`alter table presets rename column filter to text`.execute(db);
      await sql`alter index filter_presets_of rename to presets_of`.execute(db);
      await sql`alter table presets add column kind text not null default 'filter'`.execute(db);
      await sql`alter table presets alter column kind drop default`.execute(db);
      await sql`alter table presets add check (kind in ('filter', 'score'))`.execute(db);
    },
  },
  /** A server that lost the lock of an upload, and does not know it yet, can record nothing more. */
  '032-upload-fences': {
    async up(db) {
      await sql`alter table uploads add column fence bigint not null default 0`.execute(db);
    },
  },
  /** A dismissed warning follows its branch to a new path, and keeps the earlier ones for earlier maps. */
  '033-paths-of-warnings': {
    async up(db) {
      await sql`alter table dismissed_warnings add column paths jsonb`.execute(db);
      await sql`update dismissed_warnings set paths = jsonb_build_array(path)`.execute(db);
      await sql`alter table dismissed_warnings alter column paths set not null`.execute(db);
      await sql`alter table dismissed_warnings drop column path`.execute(db);
    },
  },
  /**
   * To which data set the uploads under a root belong, if a person has chosen: to one that began under another root, or to one of
   * their own.
   */
  '034-continued-roots': {
    async up(db) {
      await sql`
        create table continued_roots (
          owner_id text not null references accounts (id) on delete cascade,
          root_hash text not null check (root_hash ~ '^[0-9a-f]{64}$'),
          data_hash text not null check (data_hash ~ '^[0-9a-f]{64}$'),
          chosen_by text not null,
          chosen_at timestamptz not null,
          primary key (owner_id, root_hash)
        )`.execute(db);
    },
  },
  /** How many months before its peak a page is to be published, for all uploads of a data set. */
  '035-plan-leads': {
    async up(db) {
      await sql`
        alter table plans add column lead_months smallint not null default 2 check (lead_months between 0 and 6)`.execute(
        db,
      );
    },
  },
  /** The identity of this database, which its storage carries as well, and the keys of all objects that it has made. */
  '036-storage-owner': {
    async up(db) {
      await sql`create table database_identity (id text not null)`.execute(db);
      await sql`create unique index database_identity_once on database_identity ((true))`.execute(db);
      await sql`insert into database_identity (id) values (replace(gen_random_uuid()::text, '-', ''))`.execute(db);
      await sql`create table stored_keys (key text primary key)`.execute(db);
      await sql`
        insert into stored_keys (key)
        select key from (
          select unnest(array[file_key, pack_key]) from uploads
          union select unnest(array[file_key, pack_key]) from visualizations
          union select unnest(array[graph_key, file_key, pack_key]) from drafts
          union select file_key from visualization_lists
          union select unnest(array[file_key, pack_key]) from past_revisions
          union select key from deleted_files
        ) as referred (key)
        where key is not null`.execute(db);
    },
  },
  /**
   * Paths keep the names of the file as they are, because node IDs are hashes of them: `json` stores a NUL that the file
   * has, and `jsonb` refuses it.
   */
  '038-exact-paths': {
    async up(db) {
      await sql`alter table plan_entries alter column paths type json using paths::json`.execute(db);
      await sql`
        alter table plan_changes alter column before type json using before::json,
          alter column after type json using after::json`.execute(db);
      await sql`alter table dismissed_warnings alter column paths type json using paths::json`.execute(db);
    },
  },
  /** The columns of the file that a client link shows. Links from before show those that do not look personal. */
  '039-link-columns': {
    async up(db) {
      await sql`alter table share_links add column columns jsonb check (jsonb_typeof(columns) = 'array')`.execute(db);
    },
  },
  /**
   * What lists, drafts and their maps take in storage, and for which account that counts. Of what is stored already, the lists and
   * files count; nobody noted the size of its packs.
   */
  '044-stored-files': {
    async up(db) {
      await sql`
        create table stored_files (
          key text primary key,
          account_id text not null,
          bytes bigint not null check (bytes >= 0)
        )`.execute(db);
      await sql`create index stored_files_account on stored_files (account_id)`.execute(db);
      await sql`
        insert into stored_files (key, account_id, bytes)
        select file_key, uploader_id, size from uploads where kind = 'list'
        union all
        select file_key, begun_by, file_size from drafts where file_key is not null
        union all
        select v.file_key, v.uploaded_by, v.file_size from visualizations v
          where exists (select from visualization_lists l where l.visualization_id = v.id)
        union all
        select l.file_key, v.uploaded_by, l.size from visualization_lists l
          join visualizations v on v.id = l.visualization_id
        on conflict do nothing`.execute(db);
    },
  },
  /** The CRC-32 of what has arrived of an upload, and of the original of a visualization; null where it was never computed. */
  '045-checksums': {
    async up(db) {
      await sql`alter table uploads add column checksum bigint`.execute(db);
      await sql`alter table visualizations add column file_checksum bigint`.execute(db);
    },
  },
  /** One table of all objects, of which some count for an account. */
  '046-one-table-of-files': {
    async up(db) {
      await sql`alter table stored_files alter account_id drop not null, alter bytes drop not null`.execute(db);
      await sql`insert into stored_files (key) select key from stored_keys on conflict do nothing`.execute(db);
      await sql`drop table stored_keys`.execute(db);
    },
  },
  /** Links that allow editing the plan, the colleague who has opened a link, and assignments that a mail is to tell about. */
  '047-writers': {
    async up(db) {
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
    },
  },
  /**
   * Old lines of the activity log may be removed, but only by this function, which spares the last 30 days whatever the server
   * asks for. `activity_cursor` says which lines were written to the server's log. Accounts may have limits of their own.
   */
  '048-activity-and-quotas': {
    async up(db) {
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
    },
  },
  /**
   * For each migration from this one on, which servers can go on beside those that know it: `needs` is the migration that they must
   * know at least, and null stands for any.
   */
  '049-schema-changes': {
    async up(db) {
      await sql`create table schema_changes (name text primary key, needs text)`.execute(db);
    },
  },
  /** Older databases have this table without a log: see the first migration. */
  '050-logged-event-streams': {
    async up(db) {
      await sql`alter table event_streams set logged`.execute(db);
    },
  },
  /** Tokens with which programs make the calls of a person. */
  '051-access-tokens': {
    async up(db) {
      await sql`
        create table access_tokens (
          id text primary key,
          token_hash bytea not null unique,
          account_id text not null references accounts (id) on delete cascade,
          name text not null,
          scopes text[] not null,
          visualization_id text references visualizations (id) on delete cascade,
          created_at timestamptz not null,
          expires_at timestamptz not null,
          revoked_at timestamptz,
          last_used_at timestamptz,
          addresses text[] not null default '{}'
        )`.execute(db);
      await sql`create index access_tokens_of on access_tokens (account_id)`.execute(db);
      await sql`create index access_tokens_in on access_tokens (visualization_id)`.execute(db);
    },
  },
  /** Lists that programs bring: how their drafts go on, and what people want of them. */
  '052-imports-without-hands': {
    async up(db) {
      await sql`alter table drafts add column hands_off jsonb, add column open_questions jsonb`.execute(db);
      await sql`
        create table import_settings (
          account_id text primary key references accounts (id) on delete cascade,
          publishes boolean not null
        )`.execute(db);
    },
  },
  /** What happens once however often it is repeated: requests with a key, and files of the import folder. */
  '053-done-once': {
    async up(db) {
      await sql`
        create table idempotent_answers (
          key_hash bytea primary key,
          account_id text not null references accounts (id) on delete cascade,
          request_hash bytea,
          answer bytea,
          begun_at timestamptz not null
        )`.execute(db);
      await sql`create index idempotent_answers_of on idempotent_answers (account_id)`.execute(db);
      await sql`create index idempotent_answers_begun on idempotent_answers (begun_at)`.execute(db);
      await sql`
        create table imported_files (
          account_id text not null references accounts (id) on delete cascade,
          place text not null,
          content_hash bytea not null,
          upload_id text not null,
          begun_at timestamptz not null,
          primary key (account_id, place, content_hash)
        )`.execute(db);
    },
  },
  /** Addresses of other programs that are told what happens, and what is or was sent to each. */
  '054-webhooks': {
    async up(db) {
      await sql`
        create table webhooks (
          id text primary key,
          url text not null,
          events text[] not null,
          made_at timestamptz not null,
          off_at timestamptz,
          off_because text check (off_because in ('person', 'failures')),
          failing_since timestamptz
        )`.execute(db);
      await sql`
        create table webhook_deliveries (
          id text primary key,
          webhook_id text not null references webhooks (id) on delete cascade,
          event text not null,
          subject text,
          data jsonb not null,
          made_at timestamptz not null,
          state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
          is_by_hand boolean not null default false,
          next_at timestamptz not null,
          attempts integer not null default 0,
          failed_at timestamptz,
          last_at timestamptz,
          status integer,
          fault text
        )`.execute(db);
      await sql`create index webhook_deliveries_of on webhook_deliveries (webhook_id, made_at)`.execute(db);
    },
  },
  /** Which emails people get, and whether a program sent an upload: people are told of those by email. */
  '055-mail-settings': {
    async up(db) {
      await sql`
        create table mail_settings (
          account_id text primary key references accounts (id) on delete cascade,
          imports boolean not null,
          assignments boolean not null
        )`.execute(db);
      await sql`alter table uploads add column by_program boolean not null default false`.execute(db);
    },
  },
  /** The day that a tool exported the list that a map is made of, as its name or a line above its header says: `2026-04-30`. */
  '056-export-days': {
    async up(db) {
      await sql`
        alter table visualizations add column exported_on text
          check (exported_on ~ '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$')`.execute(db);
    },
  },
  /** The newest backup stays in the activity, however old it is: only its line says how old. */
  '057-newest-backup': {
    async up(db) {
      await sql`
        create or replace function forget_activity(before timestamptz, most integer) returns bigint
          language plpgsql security definer set search_path = public, pg_temp as $$
          declare
            gone bigint;
            newest_backup bigint := (select id from audit_log where action = 'backup' order by at desc limit 1);
          begin
            if before > clock_timestamp() - interval '30 days' then
              raise exception 'the activity of the last 30 days is kept';
            end if;
            perform set_config('kc.forgetting', 'on', true);
            delete from audit_log where id in (
              select id from audit_log where at < before and id is distinct from newest_backup order by at limit most
            );
            get diagnostics gone = row_count;
            perform set_config('kc.forgetting', 'off', true);
            return gone;
          end
        $$`.execute(db);
    },
  },
};
