import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type pg from 'pg';
import { holdStoredFiles } from '../database/backup-lock.ts';
import { copyOut, inSnapshot, onConnection, schemaOf, tablesOf } from '../database/copy-tables.ts';
import { codeOf } from '../database/open.ts';
import type { Storage } from '../storage/storage.ts';
import { blocksOf as blocksOfObject } from '../storage/whole-objects.ts';
import { blocksOf, measured, syncFolder, type Written, writeDurably } from './durable-file.ts';
import {
  type BackedUpFile,
  BackupError,
  filePath,
  formatVersion,
  type Manifest,
  manifestName,
  readManifest,
  secretPath,
  tablePath,
} from './manifest.ts';

/** `reused`: how many files of an earlier backup were taken. */
export type MadeBackup = Manifest & { readonly reused: number };

type BackupDeps = {
  /** A role that may read every table. */
  readonly connection: pg.ClientConfig;
  readonly storage: Storage;
  /** The server's data directory. The backup must not be written into it. */
  readonly dataDir: string;
  /** The file with the server's secret; `undefined` if `SECRET` is set. */
  readonly secretFile: string | undefined;
  /** The product's version. */
  readonly version: string;
  /** Milliseconds since 1970. */
  now(): number;
};

/**
 * Writes all data of the product into a new folder: every table from one snapshot, then the stored files of the
 * visualizations in that snapshot. A server may run meanwhile: stored files never change, and none is removed before the
 * backup ends.
 *
 * The folder has a temporary name until everything is durable, so an interrupted backup cannot be mistaken for a
 * complete one.
 *
 * Source: SECURITY.md, REL-29.
 *
 * @param since the folder of an earlier backup, which stays complete and may be deleted later. What it has is not copied from
 *   the storage again, but checked and linked.
 * @throws BackupError if the folder already exists, there is nothing to back up, or `since` is no complete backup
 */
export async function writeBackup(deps: BackupDeps, folder: string, since?: string): Promise<MadeBackup> {
  const target = resolve(folder);
  requireNewTarget(target, deps.dataDir);
  const unfinished = `${target}.unfinished-${randomBytes(4).toString('hex')}`;
  await mkdir(dirname(target), { recursive: true });
  try {
    for (const part of ['', 'tables', 'files', 'secret']) await mkdir(join(unfinished, part), { mode: 0o700 });
    const { reused, ...manifest } = await writeContents(deps, unfinished, since);
    for (const part of ['tables', 'files', 'secret']) await syncFolder(join(unfinished, part));
    await writeDurably(join(unfinished, manifestName), [Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`)]);
    await syncFolder(unfinished);
    // Again, because a rename would replace an empty folder created meanwhile.
    requireNewTarget(target, deps.dataDir);
    await rename(unfinished, target);
    await syncFolder(dirname(target));
    return { ...manifest, reused };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

function requireNewTarget(target: string, dataDir: string): void {
  if (existsSync(target)) throw new BackupError(`${target} already exists: name a new folder`);
  if (!relative(resolve(dataDir), target).startsWith('..')) {
    throw new BackupError(`${target} is inside ${dataDir}, which is to be backed up: name a folder elsewhere`);
  }
}

/** Writes everything except the manifest, which it returns. Meanwhile no stored file is removed. */
async function writeContents(deps: BackupDeps, unfinished: string, since: string | undefined): Promise<MadeBackup> {
  return onConnection(deps.connection, async (holder) => {
    await holdStoredFiles(holder);
    return copyContents(deps, unfinished, since);
  });
}

async function copyContents(deps: BackupDeps, unfinished: string, since: string | undefined): Promise<MadeBackup> {
  const { rows, keys } = await onConnection(deps.connection, (client) =>
    inSnapshot(client, async () => {
      const schema = await schemaOf(client);
      if (!schema) throw new BackupError('There is nothing to back up: the database has no tables yet');
      const at = new Date(deps.now()).toISOString();
      const tables: Manifest['tables'] = [];
      for (const table of await tablesOf(client)) {
        const copy = copyOut(client, table);
        const written = await writeDurably(join(unfinished, tablePath(table.name)), copy.rows);
        tables.push({ ...table, columns: [...table.columns], rows: copy.count(), ...written });
      }
      return { rows: { schema, at, tables }, keys: await storedKeys(client) };
    }),
  );
  const earlier = new Map<string, BackedUpFile>();
  for (const { key, ...facts } of since === undefined ? [] : (await readManifest(since)).files)
    earlier.set(key, { ...facts, path: join(since!, filePath(key)) });
  const files: Manifest['files'] = [];
  let reused = 0;
  for (const key of keys) {
    const path = join(unfinished, filePath(key));
    const linked = await linkFile(deps.storage, key, earlier.get(key), path);
    if (linked) reused++;
    files.push({ key, ...(linked ?? (await copyFile(deps.storage, key, path))) });
  }
  const secret = await copySecret(deps.secretFile, join(unfinished, secretPath));
  return {
    format: formatVersion,
    id: randomBytes(16).toString('hex'),
    version: deps.version,
    ...rows,
    files,
    ...(secret ? { secret } : {}),
    reused,
  };
}

/**
 * The keys of all originals and packs, of lists, and of what drafts are made of. Unfinished uploads are not part of a
 * backup.
 */
async function storedKeys(client: pg.Client): Promise<string[]> {
  // A backup can be made of a schema from before there were drafts.
  const { rows: found } = await client.query<{ has: boolean }>(
    `select to_regclass('public.drafts') is not null as has`,
  );
  const ofDrafts = `
      union all
      select unnest(array[graph_key, file_key, pack_key]), null from drafts where view_id is not null
      union all
      select file_key, null from uploads where kind = 'list' and state = 'kept'
      union all
      select file_key, null from visualization_lists`;
  const { rows } = await client.query<{ key: string }>(
    `select key, min(place) as place from (
      select unnest(array[file_key, pack_key]) as key, row_number() over (order by uploaded_at, id) as place
        from visualizations
      ${found[0]?.has ? ofDrafts : ''}
    ) as stored
    where key is not null group by key order by place nulls last, key`,
  );
  return rows.map(({ key }) => key);
}

/**
 * Takes a stored file from an earlier backup: objects are written once, so that one of the same key and size is the same.
 * The earlier copy is read and must be what was written; otherwise the file is copied from the storage.
 *
 * @returns undefined if there is nothing to take
 */
async function linkFile(
  storage: Storage,
  key: string,
  earlier: BackedUpFile | undefined,
  path: string,
): Promise<Written | undefined> {
  if (!earlier || (await storage.stat(key))?.size !== earlier.bytes) return;
  const { bytes, sha256 } = earlier;
  const found = await measure(earlier.path);
  if (found?.bytes !== bytes || found.sha256 !== sha256) return;
  try {
    await link(earlier.path, path);
    return { bytes, sha256 };
  } catch (error) {
    // Another file system, or one without links, or a file that has as many as it may.
    if (!['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '')) throw error;
    return writeDurably(path, blocksOf(earlier.path));
  }
}

async function measure(path: string): Promise<Written | undefined> {
  const read = measured(blocksOf(path));
  try {
    for await (const _block of read);
  } catch {
    // It is copied from the storage instead, which says what is wrong if that cannot be read either.
    return;
  }
  return read.result();
}

async function copyFile(storage: Storage, key: string, path: string): Promise<Written> {
  const stored = await storage.open(key).catch((cause: unknown) => {
    throw new BackupError(`The stored file ${key} cannot be read, so the backup would be incomplete`, { cause });
  });
  try {
    return await writeDurably(path, blocksOfObject(stored));
  } finally {
    await stored.close();
  }
}

/** Copies the file with the secret, if there is one: it does not exist before the first start of a server. */
async function copySecret(file: string | undefined, path: string): Promise<Written | undefined> {
  return file && existsSync(file) ? writeDurably(path, blocksOf(file)) : undefined;
}
