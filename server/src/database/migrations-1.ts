import { type Kysely, sql } from 'kysely';

/**
 * What a migration has as `contract` if it takes away what released servers used: the first release that does without, and the
 * newest migration of that one. All others only add, so that servers of the last release go on beside new ones.
 */
export type Contract = { readonly release: string; readonly schema: string };

type Step = { up(db: Kysely<unknown>): Promise<void>; readonly contract?: Contract };
export type Migrations = Readonly<Record<string, Step>>;

/** The first ones. A released migration is never changed. */
export const firstMigrations: Migrations = {
  /** Accounts, passwords, sessions, single-use tokens, the audit log and rate limits. */
  '001-accounts': {
    async up(db) {
      await sql`
        create table accounts (
          id text primary key,
          email text not null check (email = lower(email) and length(email) <= 254),
          display_name text not null default '',
          photo_url text,
          role text not null default 'user' check (role in ('admin', 'user')),
          status text not null default 'pending' check (status in ('pending', 'approved', 'denied')),
          email_proven_at timestamptz,
          created_by text not null default 'system',
          is_sample boolean not null default false,
          built_in boolean not null default false,
          created_at timestamptz not null,
          updated_at timestamptz not null,
          last_login timestamptz,
          migrated_from text,
          migrated_to text,
          migrated_at timestamptz
        )`.execute(db);
      await sql`create unique index accounts_email on accounts (email) where migrated_to is null`.execute(db);
      await sql`create index accounts_listed on accounts (status, created_at desc)`.execute(db);
      await sql`
        create table credentials (
          account_id text primary key references accounts (id) on delete cascade,
          password_hash text not null,
          created_at timestamptz not null,
          updated_at timestamptz not null
        )`.execute(db);
      await sql`
        create table sessions (
          id text primary key,
          token_hash bytea not null unique,
          account_id text not null references accounts (id) on delete cascade,
          remembered boolean not null,
          created_at timestamptz not null,
          last_seen_at timestamptz not null,
          expires_at timestamptz not null
        )`.execute(db);
      await sql`create index sessions_account on sessions (account_id)`.execute(db);
      await sql`create index sessions_expiry on sessions (expires_at)`.execute(db);
      await sql`
        create table tokens (
          token_hash bytea primary key,
          purpose text not null,
          account_id text not null references accounts (id) on delete cascade,
          created_at timestamptz not null,
          expires_at timestamptz not null,
          used_at timestamptz
        )`.execute(db);
      await sql`create index tokens_account on tokens (account_id, purpose)`.execute(db);
      await sql`
        create table rate_limits (
          key text primary key,
          window_start timestamptz not null,
          uses integer not null
        )`.execute(db);
      // Not unlogged, although losing it would harm nobody: if the creation of an unlogged table is rolled back and PostgreSQL is killed
      // right afterwards, it cannot start again ("could not create file", in the reset of unlogged relations after recovery).
      await sql`
        create table event_streams (
          id text primary key,
          account_id text not null references accounts (id) on delete cascade,
          seen_at timestamptz not null
        )`.execute(db);
      await sql`create index event_streams_account on event_streams (account_id)`.execute(db);
      await createAuditLog(db);
    },
  },
  /** Running uploads and the visualizations made from them. */
  '002-visualizations': {
    async up(db) {
      await sql`
        create table uploads (
          id text primary key check (id ~ '^[0-9a-f]{32}$'),
          uploader_id text not null references accounts (id) on delete cascade,
          user_id text not null references accounts (id) on delete cascade,
          file_name text not null,
          description text not null,
          size bigint not null check (size > 0),
          received bigint not null default 0 check (received between 0 and size),
          state text not null default 'receiving'
            check (state in ('receiving', 'received', 'reading', 'saving', 'active', 'failed')),
          share double precision not null default 0,
          attempts integer not null default 0,
          refusal jsonb,
          warning jsonb,
          file_key text not null unique,
          pack_key text not null unique,
          created_at timestamptz not null,
          touched_at timestamptz not null
        )`.execute(db);
      await sql`create index uploads_by_touch on uploads (touched_at)`.execute(db);
      await sql`
        create table visualizations (
          id text primary key,
          user_id text not null references accounts (id) on delete cascade,
          upload_id text unique,
          file_name text not null,
          storage_path text not null,
          uploaded_by text not null,
          uploaded_at timestamptz not null,
          is_active boolean not null,
          is_sample boolean not null default false,
          file_size bigint not null,
          description text not null,
          keywords integer not null,
          nodes integer not null,
          root_name text not null,
          file_key text not null unique,
          pack_key text not null unique,
          source_hash text
        )`.execute(db);
      // A user has at most one active visualization: the database itself enforces this.
      await sql`create unique index visualizations_one_active on visualizations (user_id) where is_active`.execute(db);
      await sql`create index visualizations_of_user on visualizations (user_id, uploaded_at desc)`.execute(db);
    },
  },
  /**
   * For deleting accounts: locked credentials that outlive them, tokens of a session, and files in their retention
   * period.
   */
  '003-deletion': {
    async up(db) {
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
        create index audit_log_deletions on audit_log (target) where action in ('delete', 'delete-records')`.execute(
        db,
      );
    },
  },
  /** The settings, one row; and the results of audited actions. */
  '005-settings': {
    async up(db) {
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
    },
  },
  /** Identities at OpenID Connect issuers: issuer and subject, never the email. */
  '006-identities': {
    async up(db) {
      await sql`
        create table identities (
          iss text not null,
          sub text not null,
          account_id text not null references accounts (id) on delete cascade,
          email text,
          created_at timestamptz not null,
          last_used_at timestamptz not null,
          primary key (iss, sub)
        )`.execute(db);
      await sql`create index identities_account on identities (account_id)`.execute(db);
    },
  },
  /** Used proofs of work, so that none counts twice. */
  '007-bot-check': {
    async up(db) {
      await sql`
        create table used_proofs (
          signature bytea primary key,
          expires_at timestamptz not null
        )`.execute(db);
      await sql`create index used_proofs_expiry on used_proofs (expires_at)`.execute(db);
    },
  },
  /** Pictures of users and when to look them up again; when which emails were deleted. */
  '008-avatars': {
    async up(db) {
      await sql`
        create table avatars (
          account_id text primary key references accounts (id) on delete cascade,
          looked_up_at timestamptz not null,
          look_again_at timestamptz not null,
          asked_photo_url text,
          picture bytea,
          content_type text check (content_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
          etag text,
          check (num_nulls(picture, content_type, etag) in (0, 3))
        )`.execute(db);
      await sql`
        create index audit_log_deleted_emails on audit_log ((details->>'email'), at)
          where action in ('delete', 'delete-records')`.execute(db);
    },
  },
  /** A session can be due for a new token; the previous one stays valid for a moment. */
  '009-session-rotation': {
    async up(db) {
      await sql`
        alter table sessions
          add column rotation_due boolean not null default false,
          add column previous_hash bytea unique,
          add column previous_until timestamptz`.execute(db);
    },
  },
  /** The format of each pack: packs of an earlier format are rebuilt from their originals. */
  '010-pack-version': {
    async up(db) {
      await sql`alter table visualizations add column pack_version integer not null default 1`.execute(db);
      await sql`create index visualizations_pack_version on visualizations (pack_version)`.execute(db);
    },
  },
  /**
   * The modification time of an upload's file, according to the browser: an upload can only be resumed with the same
   * version.
   */
  '011-upload-file-time': {
    async up(db) {
      await sql`alter table uploads add column file_modified timestamptz`.execute(db);
    },
  },
  /** The two upper levels of each visualization, for thumbnails; absent for packs from before they existed. */
  '012-thumbnails': {
    async up(db) {
      await sql`alter table visualizations add column thumbnail jsonb`.execute(db);
    },
  },
  /** Saved views. They belong to the owner and the root of the data, which a newer upload has again. */
  '013-saved-views': {
    async up(db) {
      await sql`
        create table saved_views (
          id text primary key,
          account_id text not null references accounts (id) on delete cascade,
          owner_id text not null references accounts (id) on delete cascade,
          root_name text not null,
          name text not null check (name <> ''),
          state text not null check (state ~ '^[A-Za-z0-9_*.+%&=-]*$'),
          position integer not null,
          created_at timestamptz not null
        )`.execute(db);
      await sql`create index saved_views_of on saved_views (account_id, owner_id)`.execute(db);
      await sql`create index saved_views_owner on saved_views (owner_id)`.execute(db);
    },
  },
  /** How many entries of each file repeat a keyword; absent for packs from before entries were merged. */
  '014-merged-entries': {
    async up(db) {
      await sql`alter table visualizations add column merged integer`.execute(db);
    },
  },
  /**
   * The only permitted change of the audit log: removing the emails of a deleted user. The server's role cannot update
   * lines. The function does so as its owner, for deleted accounts, and removes nothing else.
   */
  '015-forget-deleted': {
    async up(db) {
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
    },
  },
  /** Keyword lists, the drafts made of them, and the settings by which users may import lists. */
  '016-drafts': {
    async up(db) {
      await sql`
        create table drafts (
          id text primary key check (id ~ '^[0-9a-f]{32}$'),
          owner_id text not null references accounts (id) on delete cascade,
          begun_by text not null references accounts (id) on delete cascade,
          name text not null check (name <> ''),
          description text not null,
          origin text not null check (origin in ('lists', 'visualization')),
          base_id text references visualizations (id) on delete set null,
          branch text,
          state text not null check (state in
            ('receiving', 'queued', 'working', 'ready', 'stopped', 'failed', 'publishing', 'published')),
          stage text,
          done bigint,
          total bigint,
          share double precision not null default 0,
          attempts integer not null default 0,
          refusal jsonb,
          warnings jsonb not null default '[]',
          settings jsonb not null,
          method text check (method in ('columns', 'results', 'text')),
          report jsonb,
          graph_key text unique,
          operation integer not null default 0 check (operation >= 0),
          view_id text unique,
          file_key text unique,
          pack_key text unique,
          pack_version integer not null default 0,
          file_size bigint not null default 0,
          nodes integer not null default 0,
          keywords integer not null default 0,
          merged integer,
          root_name text not null default '',
          stop integer,
          counts jsonb,
          marks jsonb,
          upload_id text,
          lease_by text references accounts (id) on delete set null,
          lease_until timestamptz,
          created_at timestamptz not null,
          touched_at timestamptz not null,
          check ((view_id is null) = (file_key is null) and (view_id is null) = (pack_key is null))
        )`.execute(db);
      await sql`create index drafts_of_owner on drafts (owner_id, created_at desc)`.execute(db);
      await sql`create index drafts_begun_by on drafts (begun_by)`.execute(db);
      await sql`create index drafts_by_touch on drafts (touched_at)`.execute(db);
      await sql`
        create table draft_operations (
          draft_id text not null references drafts (id) on delete cascade,
          number integer not null check (number > 0),
          account_id text not null,
          operation jsonb not null,
          at timestamptz not null,
          primary key (draft_id, number)
        )`.execute(db);
      await sql`
        alter table uploads
          add column kind text not null default 'json' check (kind in ('json', 'list')),
          add column draft_id text references drafts (id) on delete cascade,
          add column place integer not null default 0,
          add column corrections jsonb,
          add check (kind = 'json' or draft_id is not null)`.execute(db);
      await sql`alter table uploads drop constraint uploads_state_check`.execute(db);
      await sql`
        alter table uploads add constraint uploads_state_check
          check (state in ('receiving', 'received', 'reading', 'saving', 'active', 'failed', 'kept'))`.execute(db);
      await sql`create index uploads_of_draft on uploads (draft_id, place) where draft_id is not null`.execute(db);
      await sql`
        create table visualization_lists (
          visualization_id text not null references visualizations (id) on delete cascade,
          place integer not null,
          name text not null,
          size bigint not null,
          file_key text not null unique,
          primary key (visualization_id, place)
        )`.execute(db);
      await sql`
        alter table settings
          add column user_imports boolean not null default false,
          add column max_user_visualizations integer not null default 5 check (max_user_visualizations between 1 and 1000),
          add column max_user_import_mb integer not null default 100 check (max_user_import_mb between 1 and 3072)`.execute(
        db,
      );
    },
  },
  /** Earlier revisions of drafts, which requests under way still read. Each ends with the retention of its pack. */
  '017-past-revisions': {
    async up(db) {
      await sql`
        create table past_revisions (
          view_id text primary key,
          draft_id text not null references drafts (id) on delete cascade,
          pack_key text not null references deleted_files (key) on delete cascade,
          file_key text not null,
          pack_version integer not null,
          file_size bigint not null,
          nodes integer not null,
          keywords integer not null,
          merged integer,
          root_name text not null
        )`.execute(db);
      await sql`create index past_revisions_of_draft on past_revisions (draft_id)`.execute(db);
      await sql`create index past_revisions_by_pack on past_revisions (pack_key)`.execute(db);
    },
  },
  /**
   * What people corrected in the reading of a file's members: what an upload is to be read by, what a visualization is to
   * be read by, and what its pack was read by. Absent: by the names alone.
   */
  '018-field-maps': {
    async up(db) {
      await sql`alter table uploads add column field_map jsonb`.execute(db);
      await sql`alter table visualizations add column field_map jsonb`.execute(db);
      await sql`alter table visualizations add column pack_field_map jsonb`.execute(db);
    },
  },
  /** Which attempt clusters a draft now: an earlier one that is still under way must not decide anything any more. */
  '019-clustering-runs': {
    async up(db) {
      await sql`alter table drafts add column run_id text`.execute(db);
    },
  },
  /** What people corrected in the reading of lists, remembered for lists with the same header. */
  '020-list-readings': {
    async up(db) {
      await sql`
        create table list_readings (
          account_id text not null references accounts (id) on delete cascade,
          header_hash text not null check (header_hash ~ '^[0-9a-f]{64}$'),
          corrections jsonb not null,
          corrected_at timestamptz not null,
          primary key (account_id, header_hash)
        )`.execute(db);
    },
  },
  /** What people corrected in the reading of a map's members goes with its drafts, which have the same members. */
  '021-draft-field-maps': {
    async up(db) {
      await sql`alter table drafts add column field_map jsonb`.execute(db);
    },
  },
  /** What clustering took, for estimates: when the stage of a draft began, how many keywords it has, and the last runs. */
  '022-clustering-times': {
    async up(db) {
      await sql`alter table drafts add column stage_at timestamptz, add column counted integer`.execute(db);
      await sql`
        create table clustering_times (
          id bigint generated always as identity primary key,
          keywords integer not null,
          stages jsonb not null
        )
      `.execute(db);
    },
  },
  /** Filters that people saved under a name, for all their data. */
  '023-filter-presets': {
    async up(db) {
      await sql`
        create table filter_presets (
          id text primary key,
          account_id text not null references accounts (id) on delete cascade,
          name text not null check (name <> ''),
          filter text not null check (filter <> ''),
          created_at timestamptz not null
        )`.execute(db);
      await sql`create index filter_presets_of on filter_presets (account_id)`.execute(db);
    },
  },
  /** Plans: what a person writes about the nodes of their data, and every change of it. */
  '024-plans': {
    async up(db) {
      await sql`
        create table plans (
          id text primary key,
          owner_id text not null references accounts (id) on delete cascade,
          of_sample boolean not null,
          root_hash text not null check (root_hash ~ '^[0-9a-f]{64}$'),
          revision bigint not null default 0,
          matching bigint not null default 0,
          created_at timestamptz not null,
          unique (owner_id, of_sample, root_hash)
        )`.execute(db);
      await sql`
        create table plan_entries (
          id text primary key,
          plan_id text not null references plans (id) on delete cascade,
          kind text not null check (kind in ('branch', 'keyword')),
          is_planned boolean not null,
          path_hashes text[] not null check (cardinality(path_hashes) > 0),
          paths jsonb not null,
          fields jsonb not null,
          marks jsonb not null,
          fingerprint bytea not null,
          keywords integer not null,
          volume double precision,
          rev bigint not null,
          added_by text not null,
          added_at timestamptz not null,
          removed_at timestamptz
        )`.execute(db);
      // A place has one entry. Removed entries keep their place, and another may take it meanwhile.
      await sql`
        create unique index plan_entries_place on plan_entries (plan_id, (path_hashes[1])) where is_planned`.execute(
        db,
      );
      await sql`create index plan_entries_changed on plan_entries (plan_id, rev, id)`.execute(db);
      await sql`create index plan_entries_paths on plan_entries using gin (path_hashes)`.execute(db);
      await sql`
        create table plan_changes (
          id bigint generated always as identity primary key,
          plan_id text not null references plans (id) on delete cascade,
          entry_id text not null references plan_entries (id) on delete cascade,
          revision bigint not null,
          field text not null,
          before jsonb not null,
          after jsonb not null,
          by_account text not null,
          at timestamptz not null,
          batch text not null
        )`.execute(db);
      await sql`create index plan_changes_of on plan_changes (entry_id, id)`.execute(db);
      await sql`create index plan_changes_batch on plan_changes (plan_id, batch)`.execute(db);
      await sql`
        create table plan_batches (
          plan_id text not null references plans (id) on delete cascade,
          batch text not null,
          answer jsonb not null,
          at timestamptz not null,
          primary key (plan_id, batch)
        )`.execute(db);
    },
  },
};

/** The log refers to accounts by ID without a foreign key: it outlives them. */
async function createAuditLog(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      actor text not null,
      action text not null,
      target text not null,
      details jsonb not null default '{}'
    )`.execute(db);
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
      begin raise exception 'audit_log is append-only'; end
    $$`.execute(db);
  await sql`
    create trigger audit_log_append_only before update or delete or truncate on audit_log
      for each statement execute function refuse_change()`.execute(db);
}
