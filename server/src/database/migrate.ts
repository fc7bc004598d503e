import { Kysely, PostgresDialect, type QueryExecutorProvider, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import * as accounts from './migrations/001-accounts.ts';
import * as visualizations from './migrations/002-visualizations.ts';
import * as deletion from './migrations/003-deletion.ts';
import * as settings from './migrations/005-settings.ts';
import * as identities from './migrations/006-identities.ts';
import * as botCheck from './migrations/007-bot-check.ts';
import * as avatars from './migrations/008-avatars.ts';
import * as sessionRotation from './migrations/009-session-rotation.ts';
import * as packVersion from './migrations/010-pack-version.ts';
import * as uploadFileTime from './migrations/011-upload-file-time.ts';
import * as thumbnails from './migrations/012-thumbnails.ts';
import * as savedViews from './migrations/013-saved-views.ts';
import * as mergedEntries from './migrations/014-merged-entries.ts';
import * as forgetDeleted from './migrations/015-forget-deleted.ts';
import * as drafts from './migrations/016-drafts.ts';
import * as pastRevisions from './migrations/017-past-revisions.ts';
import * as fieldMaps from './migrations/018-field-maps.ts';
import * as clusteringRuns from './migrations/019-clustering-runs.ts';
import * as listReadings from './migrations/020-list-readings.ts';
import * as draftFieldMaps from './migrations/021-draft-field-maps.ts';
import * as clusteringTimes from './migrations/022-clustering-times.ts';
import * as filterPresets from './migrations/023-filter-presets.ts';
import * as plans from './migrations/024-plans.ts';
import * as warnings from './migrations/025-warnings.ts';
import * as links from './migrations/026-links.ts';
import * as newestMonth from './migrations/027-newest-month.ts';
import * as pendingMoves from './migrations/030-pending-moves.ts';
import * as presets from './migrations/031-presets.ts';
import * as uploadFences from './migrations/032-upload-fences.ts';
import * as pathsOfWarnings from './migrations/033-paths-of-warnings.ts';
import * as continuedRoots from './migrations/034-continued-roots.ts';
import * as planLeads from './migrations/035-plan-leads.ts';
import * as storageOwner from './migrations/036-storage-owner.ts';
import * as exactPaths from './migrations/038-exact-paths.ts';
import * as linkColumns from './migrations/039-link-columns.ts';
import * as storedFiles from './migrations/044-stored-files.ts';
import * as checksums from './migrations/045-checksums.ts';
import * as oneTableOfFiles from './migrations/046-one-table-of-files.ts';
import * as writers from './migrations/047-writers.ts';
import * as activityAndQuotas from './migrations/048-activity-and-quotas.ts';
import * as schemaChanges from './migrations/049-schema-changes.ts';
import * as loggedEventStreams from './migrations/050-logged-event-streams.ts';
import * as accessTokens from './migrations/051-access-tokens.ts';
import * as importsWithoutHands from './migrations/052-imports-without-hands.ts';
import * as doneOnce from './migrations/053-done-once.ts';
import * as webhooks from './migrations/054-webhooks.ts';
import * as mailSettings from './migrations/055-mail-settings.ts';
import * as exportDays from './migrations/056-export-days.ts';
import { surviveLostConnections } from './open.ts';

/**
 * What a migration exports as `contract` if it takes away what released servers used: the first release that does without, and the
 * newest migration of that one. All others only add, so that servers of the last release go on beside new ones.
 */
export type Contract = { readonly release: string; readonly schema: string };

type Step = Migration & { readonly contract?: Contract };

/** In order. A released migration is never changed. */
export const migrations: Readonly<Record<string, Step>> = {
  '001-accounts': accounts,
  '002-visualizations': visualizations,
  '003-deletion': deletion,
  '005-settings': settings,
  '006-identities': identities,
  '007-bot-check': botCheck,
  '008-avatars': avatars,
  '009-session-rotation': sessionRotation,
  '010-pack-version': packVersion,
  '011-upload-file-time': uploadFileTime,
  '012-thumbnails': thumbnails,
  '013-saved-views': savedViews,
  '014-merged-entries': mergedEntries,
  '015-forget-deleted': forgetDeleted,
  '016-drafts': drafts,
  '017-past-revisions': pastRevisions,
  '018-field-maps': fieldMaps,
  '019-clustering-runs': clusteringRuns,
  '020-list-readings': listReadings,
  '021-draft-field-maps': draftFieldMaps,
  '022-clustering-times': clusteringTimes,
  '023-filter-presets': filterPresets,
  '024-plans': plans,
  '025-warnings': warnings,
  '026-links': links,
  '027-newest-month': newestMonth,
  '030-pending-moves': pendingMoves,
  '031-presets': presets,
  '032-upload-fences': uploadFences,
  '033-paths-of-warnings': pathsOfWarnings,
  '034-continued-roots': continuedRoots,
  '035-plan-leads': planLeads,
  '036-storage-owner': storageOwner,
  '038-exact-paths': exactPaths,
  '039-link-columns': linkColumns,
  '044-stored-files': storedFiles,
  '045-checksums': checksums,
  '046-one-table-of-files': oneTableOfFiles,
  '047-writers': writers,
  '048-activity-and-quotas': activityAndQuotas,
  '049-schema-changes': schemaChanges,
  '050-logged-event-streams': loggedEventStreams,
  '051-access-tokens': accessTokens,
  '052-imports-without-hands': importsWithoutHands,
  '053-done-once': doneOnce,
  '054-webhooks': webhooks,
  '055-mail-settings': mailSettings,
  '056-export-days': exportDays,
};

/** The migration that made the table in which this one and later ones are noted. */
const firstNoted = '049-schema-changes';

/** The names of all schemas so far, oldest first: each is what its migration leads to. */
export const schemas: readonly string[] = Object.keys(migrations);

/** Whether this version of the product knows the schema that ends with this migration. */
export const knowsSchema = (name: string): boolean => Object.hasOwn(migrations, name);

/**
 * Why this version cannot work with the schema as it is; `undefined` if it can. A newer version may have added to it, and says in
 * `schema_changes` who can go on with what it did.
 */
export async function schemaFault(db: QueryExecutorProvider): Promise<string | undefined> {
  const { rows } = await sql<{ name: string; noted: boolean; needs: string | null }>`
    select m.name, c.name is not null as noted, c.needs
    from kysely_migration m left join schema_changes c on c.name = m.name order by m.name`.execute(db);
  const strange = rows.find(
    ({ name, noted, needs }) => !(knowsSchema(name) || (noted && (needs === null || knowsSchema(needs)))),
  );
  if (strange) return `A newer version has migrated the database to ${strange.name}, with which this one cannot work`;
  const lacking = schemas.find((name) => !rows.some((row) => row.name === name));
  return lacking && `The database lacks the migration ${lacking}`;
}

/** The migrations, each of which notes in its own transaction who can go on after it. */
function notedMigrations(): Record<string, Migration> {
  const note = async (db: Kysely<unknown>, name: string, needs: string | undefined): Promise<void> => {
    if (schemas.indexOf(name) < schemas.indexOf(firstNoted)) return;
    await sql`insert into schema_changes (name, needs) values (${name}, ${needs ?? null})`.execute(db);
  };
  return Object.fromEntries(
    Object.entries(migrations).map(([name, step]) => [
      name,
      {
        async up(db: Kysely<unknown>) {
          await step.up(db);
          await note(db, name, step.contract?.schema);
        },
      },
    ]),
  );
}

/**
 * Migrates the schema as the role that owns it, then grants the server's role what it needs. If several servers do so
 * at once, one migrates and the others wait. A schema to which a newer version has only added is left as it is.
 *
 * @param prepare what a library creates for itself as the owner, for example its job tables
 * @param to the last migration to run; all of them by default
 * @throws if a migration fails, or the database is newer than this server
 */
export async function migrate(
  owner: pg.ClientConfig,
  appRole: string,
  prepare?: (owner: pg.ClientConfig, appRole: string) => Promise<void>,
  to?: string,
): Promise<void> {
  const pool = new pg.Pool({ ...owner, max: 2 });
  surviveLostConnections(pool, () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => notedMigrations() } });
    const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
    if (error && isNewer(error) && (await canGoOn(db))) return;
    if (error) throw asFault(error);
    await oneAtATime(pool, async () => {
      await prepare?.(owner, appRole);
      if (appRole !== owner.user) await grant(pool, appRole);
    });
  } finally {
    await db.destroy();
  }
}

/** Of servers that start together, one grants at a time: of two that grant rights on one table, PostgreSQL lets one fail. */
async function oneAtATime(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const holder = await pool.connect();
  try {
    await holder.query(`select pg_advisory_lock(hashtextextended('rights of the server', 0))`);
    await work();
  } finally {
    // The lock is that of the connection.
    holder.release(true);
  }
}

const isNewer = (error: unknown): boolean => error instanceof Error && /corrupted migrations/.test(error.message);

/** A database that was never migrated this far has no notes to read. */
const canGoOn = (db: QueryExecutorProvider): Promise<boolean> =>
  schemaFault(db).then(
    (fault) => fault === undefined,
    () => false,
  );

function asFault(error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error);
  if (isNewer(error)) {
    return new Error(
      'The database was made by a newer version of this server. Start that version, or restore a backup.',
    );
  }
  return new Error(`The database could not be brought up to date: ${text}`, { cause: error });
}

/**
 * The server's role reads and writes rows. It owns nothing and cannot change the audit log, a plan's history, or the
 * identity of the database.
 */
async function grant(pool: pg.Pool, appRole: string): Promise<void> {
  const role = pg.escapeIdentifier(appRole);
  // A schema that is migrated only so far may not have all of them yet.
  const { rows } = await pool.query<{ name: string }>(
    `select name from unnest(array['plan_changes', 'database_identity', 'schema_changes']) as name
     where to_regclass(name) is not null`,
  );
  const has = (name: string): boolean => rows.some((row) => row.name === name);
  const onlyAppended = has('plan_changes') ? 'audit_log, plan_changes' : 'audit_log';
  const onlyRead = [
    'kysely_migration',
    'kysely_migration_lock',
    ...['database_identity', 'schema_changes'].filter(has),
  ];
  await pool.query(`
    grant usage on schema public to ${role};
    grant select, insert, update, delete on all tables in schema public to ${role};
    grant usage on all sequences in schema public to ${role};
    revoke insert, update, delete on ${onlyRead.join(', ')} from ${role};
    revoke update, delete, truncate on ${onlyAppended} from ${role};
  `);
}
