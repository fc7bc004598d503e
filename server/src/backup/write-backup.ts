import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type pg from 'pg';
import { copyOut, inSnapshot, onConnection, schemaOf, tablesOf } from '../database/copy-tables.ts';
import type { Storage } from '../storage/storage.ts';
import { blocksOf, syncFolder, type Written, writeDurably } from './durable-file.ts';
import {
  BackupError,
  filePath,
  formatVersion,
  type Manifest,
  manifestName,
  secretPath,
  tablePath,
} from './manifest.ts';

export type BackupDeps = {
  /** A role that may read every table. */
  readonly connection: pg.ClientConfig;
  readonly storage: Storage;
  readonly dataDir: string;
  /** The file with the server's secret; `undefined` if `SECRET` is set. */
  readonly secretFile: string | undefined;
  readonly version: string;
  /** Milliseconds since 1970. */
  now(): number;
};

const blockBytes = 1024 * 1024;

/**
 * Writes all data of the product into a new folder: every table from one snapshot, then the stored files of the
 * visualizations in that snapshot. A server may run meanwhile: stored files never change, and are kept for a day after
 * their deletion.
 *
 * The folder has a temporary name until everything is durable, so an interrupted backup cannot be mistaken for a
 * complete one.
 *
 * Source: SECURITY.md, REL-29.
 *
 * @throws BackupError if the folder already exists, or there is nothing to back up
 */
export async function writeBackup(deps: BackupDeps, folder: string): Promise<Manifest> {
  const target = resolve(folder);
  checkTarget(target, deps.dataDir);
  const work = `${target}.unfinished-${randomBytes(4).toString('hex')}`;
  await mkdir(dirname(target), { recursive: true });
  try {
    for (const part of ['', 'tables', 'files', 'secret']) await mkdir(join(work, part), { mode: 0o700 });
    const manifest = await fill(deps, work);
    for (const part of ['tables', 'files', 'secret']) await syncFolder(join(work, part));
    await writeDurably(join(work, manifestName), textOf(`${JSON.stringify(manifest, undefined, 1)}\n`));
    await syncFolder(work);
    checkTarget(target, deps.dataDir);
    await rename(work, target);
    await syncFolder(dirname(target));
    return manifest;
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    throw error;
  }
}

function checkTarget(target: string, dataDir: string): void {
  if (existsSync(target)) throw new BackupError(`${target} is there already: name a folder that is not`);
  if (!relative(resolve(dataDir), target).startsWith('..')) {
    throw new BackupError(`${target} lies within ${dataDir}, which is to be backed up: name a folder elsewhere`);
  }
}

async function fill(deps: BackupDeps, work: string): Promise<Manifest> {
  const { rows, keys } = await onConnection(deps.connection, (client) =>
    inSnapshot(client, async () => {
      const schema = await schemaOf(client);
      if (!schema) throw new BackupError('There is nothing to back up: the database has no tables yet');
      const at = new Date(deps.now()).toISOString();
      const tables: Manifest['tables'] = [];
      for (const table of await tablesOf(client)) {
        const copy = copyOut(client, table);
        const written = await writeDurably(join(work, tablePath(table.name)), copy.rows);
        tables.push({ ...table, columns: [...table.columns], rows: copy.count(), ...written });
      }
      return { rows: { schema, at, tables }, keys: await storedKeys(client) };
    }),
  );
  const files: Manifest['files'] = [];
  for (const key of keys) files.push({ key, ...(await copyFile(deps.storage, key, join(work, filePath(key)))) });
  const secret = await copySecret(deps.secretFile, join(work, secretPath));
  return {
    format: formatVersion,
    id: randomBytes(16).toString('hex'),
    version: deps.version,
    ...rows,
    files,
    ...(secret ? { secret } : {}),
  };
}

/** Only visualizations' files: unfinished uploads are not part of a backup. */
async function storedKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    'select unnest(array[file_key, pack_key]) as key from visualizations order by uploaded_at, id',
  );
  return rows.map(({ key }) => key);
}

async function copyFile(storage: Storage, key: string, path: string): Promise<Written> {
  const stored = await storage.open(key).catch((cause: unknown) => {
    throw new BackupError(`The stored file ${key} cannot be read, so this would be no whole backup`, { cause });
  });
  try {
    return await writeDurably(path, readAll(stored));
  } finally {
    await stored.close();
  }
}

async function* readAll(stored: Awaited<ReturnType<Storage['open']>>): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < stored.size; at += blockBytes) {
    yield await stored.read(at, Math.min(blockBytes, stored.size - at));
  }
}

/** A database that no server has used yet has no secret. */
async function copySecret(file: string | undefined, path: string): Promise<Written | undefined> {
  return file && existsSync(file) ? writeDurably(path, blocksOf(file)) : undefined;
}

async function* textOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
