import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { RestoreDeps } from '../../src/backup/restore-backup.ts';
import { roles } from '../../src/database/cluster.ts';
import { copyOut, onConnection, tablesOf } from '../../src/database/copy-tables.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { CommandDatabase } from '../../src/database/start.ts';
import { openDiskStorage } from '../../src/storage/disk.ts';
import { isKey } from '../../src/storage/storage.ts';
import { createDatabase, dropDatabase } from './cluster.ts';
import { type TestDatabase, testCluster } from './database.ts';

/** The target of a restore: an empty database and the path of a data directory that does not exist yet. */
export type Place = RestoreDeps & { readonly database: TestDatabase };

/** Creates a folder for backups and data directories that the user who runs PostgreSQL can enter. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kc-backup-'));
  await chmod(folder, 0o711);
  return folder;
}

/** @param prepare creates the tables that libraries need in a restored database */
export async function emptyPlace(dataDir: string, prepare: RestoreDeps['prepare']): Promise<Place> {
  const cluster = testCluster();
  const name = `restored_${randomBytes(8).toString('hex')}`;
  await createDatabase(cluster, name);
  const [app, owner] = [
    { ...cluster.app, database: name },
    { ...cluster.owner, database: name },
  ];
  const database: CommandDatabase = { app, owner, appRole: roles.app, isServed: false };
  const db = openDatabase(app, () => undefined, 10);
  return {
    dataDir,
    openStorage: () => openDiskStorage(join(dataDir, 'files')),
    withDatabase: (work) => work(database),
    prepare,
    now: Date.now,
    database: {
      db,
      connection: app,
      owner,
      async close() {
        await db.destroy();
        await dropDatabase(cluster, name);
      },
    },
  };
}

/** Every row of every table, as sorted text. */
export function rowsOf(connection: pg.ClientConfig): Promise<Record<string, string[]>> {
  return onConnection(connection, async (client) => {
    const rows: Record<string, string[]> = {};
    for (const table of await tablesOf(client)) {
      const text = Buffer.concat(await copyOut(client, table).rows.toArray()).toString();
      rows[table.name] = text.split('\n').slice(0, -1).sort();
    }
    return rows;
  });
}

/** The name and SHA-256 of each stored file. */
export async function filesOf(dataDir: string): Promise<Record<string, string>> {
  const names = (await readdir(join(dataDir, 'files'))).filter(isKey).sort();
  const sums = names.map(async (name) => {
    const bytes = await readFile(join(dataDir, 'files', name));
    return [name, createHash('sha256').update(bytes).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(sums));
}

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
