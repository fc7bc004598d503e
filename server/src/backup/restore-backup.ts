import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { advanceSequences, copyIn, emptyTable, onConnection, schemaOf, tablesOf } from '../database/copy-tables.ts';
import { type FileLock, holdDataDir, lockNames } from '../database/data-lock.ts';
import { knowsSchema, migrate } from '../database/migrate.ts';
import { type CommandDatabase, restoreMark, unfinishedRestore } from '../database/start.ts';
import { refuseFiles, refuseOwner } from '../storage/owner.ts';
import { newKey, type Storage } from '../storage/storage.ts';
import { writeBlocks } from '../storage/whole-objects.ts';
import { blocksOf, measured, syncFolder, type Written, writeDurably } from './durable-file.ts';
import {
  BackupError,
  backedUpFiles,
  filePath,
  type Manifest,
  readManifest,
  secretPath,
  tablePath,
} from './manifest.ts';

export type RestoreDeps = {
  /** The data directory to fill: absent, or empty except for {@link allowedFolders}. */
  readonly dataDir: string;
  /** Opens the storage in the data directory, creating it if necessary. */
  openStorage(): Promise<Storage>;
  /** `ADOPT_STORAGE` */
  readonly adoptStorage?: string | undefined;
  /** Runs work on the database, creating it if necessary. @param lock the lock of the data directory */
  withDatabase(work: (database: CommandDatabase) => Promise<void>, lock: FileLock): Promise<void>;
  /** Creates what libraries need in the database, for example the tables of the job queue. */
  readonly prepare: Parameters<typeof migrate>[2];
  /** Milliseconds since 1970. */
  now(): number;
};

/**
 * Verifies the length and SHA-256 of every file of a backup.
 *
 * @throws BackupError for the first damaged one
 */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const file of backedUpFiles(manifest)) {
    const read = measured(blocksOf(join(folder, file.path)));
    try {
      for await (const _block of read);
    } catch (cause) {
      throw new BackupError(`${folder} is damaged: ${file.path} cannot be read`, { cause });
    }
    requireSameBytes(folder, file.path, read.result(), file);
  }
  return manifest;
}

function requireSameBytes(folder: string, path: string, found: Written, expected: Written): void {
  if (found.bytes === expected.bytes && found.sha256 === expected.sha256) return;
  throw new BackupError(`${folder} is damaged: ${path} is not what was written`);
}

/**
 * Restores a backup into an empty data directory and an empty database, in the schema of this version. Every byte is
 * verified before the first one is written. Sessions and unfinished uploads are not restored, so
 * everybody must sign in again: {@link deleteTransient}.
 *
 * All rows are written in one transaction. Until everything is done, a mark in the data directory prevents servers from
 * starting; restoring the same backup again continues.
 *
 * Source: SECURITY.md, REL-29.
 *
 * @throws BackupError if the backup is damaged or newer than this version, or the target is not empty
 */
export async function restoreBackup(deps: RestoreDeps, folder: string): Promise<Manifest> {
  const { dataDir } = deps;
  const { schema, id } = await readManifest(folder);
  if (!knowsSchema(schema)) {
    throw new BackupError(`${folder} was made by a newer version of this product: restore it with that version`);
  }
  const isResumed = unfinishedRestore(dataDir) === id;
  if (!isResumed) await requireEmpty(dataDir);
  const manifest = await checkBackup(folder);
  const lock = await holdDataDir(dataDir, 'command');
  try {
    // Verifying takes long, and a server may have started and ended meanwhile.
    if (!isResumed) await requireEmpty(dataDir);
    const storage = await deps.openStorage();
    if (!isResumed) {
      refuseOwner(storage, await storage.owner(), deps.adoptStorage);
      await refuseFiles(storage, deps.adoptStorage);
      await writeDurably(restoreMark(dataDir), [Buffer.from(id)]);
    }
    await syncFolder(dataDir);
    await deps.withDatabase((database) => restoreParts(deps, database, storage, folder, manifest, isResumed), lock);
    await rm(restoreMark(dataDir));
    await syncFolder(dataDir);
  } catch (error) {
    // Nothing has been written yet, and the next attempt may use another backup.
    if (error instanceof NotEmpty && !isResumed) await rm(restoreMark(dataDir));
    throw error;
  } finally {
    lock.release();
  }
  return manifest;
}

/** The database has tables that are not from this backup. */
class NotEmpty extends BackupError {}

/**
 * Folders that an earlier start, or the administrator who prepared the volume, may have created. Empty ones do not
 * count as content.
 */
const allowedFolders = ['files', 'mail', 'secret', 'lost+found'];

async function requireEmpty(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  for (const entry of await readdir(dataDir)) {
    // Locks, and copies of what a bucket has.
    if (lockNames.includes(entry) || entry === 'cache') continue;
    if (allowedFolders.includes(entry) && (await readdir(join(dataDir, entry))).length === 0) continue;
    throw new BackupError(`${dataDir} is not empty (it has ${entry}): restore into a data directory that is`);
  }
}

async function restoreParts(
  deps: RestoreDeps,
  database: CommandDatabase,
  storage: Storage,
  folder: string,
  manifest: Manifest,
  isResumed: boolean,
): Promise<void> {
  const hasRows = await onConnection(database.owner, (client) => hasRowsOf(client, manifest.id, isResumed));
  if (!hasRows) {
    await restoreFiles(deps, storage, folder, manifest);
    await migrate(database.owner, database.appRole, undefined, manifest.schema);
    await onConnection(database.owner, (client) => restoreRows(deps, client, folder, manifest));
  }
  await migrate(database.owner, database.appRole, deps.prepare);
  await onConnection(database.owner, deleteTransient);
  await onConnection(database.owner, (client) => takeStorage(client, storage, deps.adoptStorage));
}

/**
 * Whether the database already has the rows of the backup `id`: a resumed restore then has nothing left to load. The
 * transaction that loads the rows also writes the line of the audit log that this looks for.
 *
 * @throws NotEmpty if the database has other rows, or tables that this restore did not create
 */
async function hasRowsOf(client: pg.Client, id: string, isResumed: boolean): Promise<boolean> {
  const tables = await tablesOf(client);
  if (tables.length === 0) return false;
  if (isResumed && (await schemaOf(client))) {
    const { rows } = await client.query<{ loaded: boolean; used: boolean }>(
      `select exists(select from audit_log where action = 'restore' and target = $1) as loaded,
        exists(select from accounts) or exists(select from audit_log) as used`,
      [id],
    );
    if (rows[0]?.loaded) return true;
    if (!rows[0]?.used) return false;
  }
  throw new NotEmpty('The database is not empty: restore into one without tables');
}

/**
 * Gives the restored database an identity of its own, because the one of the backup may still be in use, and makes it the
 * owner of the storage. A restore that was interrupted in between does so again.
 *
 * @throws ForeignStorage
 */
async function takeStorage(client: pg.Client, storage: Storage, adopt: string | undefined): Promise<void> {
  const { rows: before } = await client.query<{ id: string }>('select id from database_identity');
  const owner = await storage.owner();
  if (owner !== before[0]?.id) refuseOwner(storage, owner, adopt);
  const { rows } = await client.query<{ id: string }>(
    `update database_identity set id = replace(gen_random_uuid()::text, '-', '') returning id`,
  );
  await storage.setOwner(rows[0]!.id);
}

async function restoreFiles(
  deps: RestoreDeps,
  storage: Storage,
  folder: string,
  { files, secret }: Manifest,
): Promise<void> {
  for (const { key, ...expected } of files) {
    const read = measured(blocksOf(join(folder, filePath(key))));
    const temp = newKey('temp');
    await writeBlocks(storage, temp, read);
    requireSameBytes(folder, filePath(key), read.result(), expected);
    await storage.publish(temp, key);
  }
  if (!secret) return;
  const target = join(deps.dataDir, secretPath);
  await mkdir(join(target, '..'), { recursive: true, mode: 0o700 });
  await rm(target, { force: true });
  requireSameBytes(folder, secretPath, await writeDurably(target, blocksOf(join(folder, secretPath))), secret);
  await syncFolder(join(target, '..'));
}

async function restoreRows(
  { now }: RestoreDeps,
  client: pg.Client,
  folder: string,
  { id, at, tables }: Manifest,
): Promise<void> {
  // An error leaves the transaction open. The connection is closed, which rolls it back.
  const known = new Map((await tablesOf(client)).map((table) => [table.name, table]));
  if (known.size !== tables.length) throw new BackupError(`${folder} does not have the tables of its own schema`);
  await client.query('begin');
  for (const { name, columns, rows, ...expected } of tables) {
    const table = known.get(name);
    if (!table || !columns.every((column) => table.columns.includes(column))) {
      throw new BackupError(`${folder} does not have the tables of its own schema: ${name}`);
    }
    await emptyTable(client, table);
    const copy = copyIn(client, { name, columns });
    const read = measured(blocksOf(join(folder, tablePath(name))));
    await pipeline(read, copy.rows);
    requireSameBytes(folder, tablePath(name), read.result(), expected);
    if (copy.count() !== rows) throw new BackupError(`${folder} is damaged: ${name} has ${copy.count()} rows`);
    await advanceSequences(client, table);
  }
  await client.query(
    `insert into audit_log (at, actor, action, target, details) values ($1, 'system', 'restore', $2, $3)`,
    [new Date(now()), id, JSON.stringify({ backup: at })],
  );
  await client.query('commit');
}

/**
 * Removes what a backup must not revive: sessions, tokens, access tokens, links and webhooks, which may have ended since;
 * open streams; deleted files and unfinished uploads, whose bytes the backup does not contain; and the stored responses and
 * imported files. Drafts at work are stopped, those that would have published themselves wait for somebody, and nobody
 * is notified of earlier assignments: their jobs are not part of a backup.
 */
async function deleteTransient(client: pg.Client): Promise<void> {
  await client.query(`
    delete from tokens; delete from access_tokens; delete from webhooks; delete from sessions; delete from share_links; delete from event_streams; delete from deleted_files;
    delete from plan_assignments; delete from idempotent_answers;
    delete from drafts where state = 'receiving';
    delete from uploads where state not in ('active', 'failed', 'kept');
    delete from imported_files where upload_id not in (select id from uploads);
    update drafts set lease_by = null, lease_until = null;
    update drafts set state = 'stopped' where state in ('queued', 'working');
    update drafts set state = 'ready', upload_id = null where state = 'publishing';
    update drafts set hands_off = jsonb_set(hands_off, '{publishes}', 'false') where state = 'ready'`);
}
