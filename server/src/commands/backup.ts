import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { BackupError, backedUpFiles, type Manifest } from '../backup/manifest.ts';
import { checkBackup } from '../backup/restore-backup.ts';
import { type MadeBackup, writeBackup } from '../backup/write-backup.ts';
import { type Config, readConfig, readEnvironment, secretFile, version } from '../config.ts';
import { audit } from '../database/audit.ts';
import { readDatabaseTime } from '../database/clock.ts';
import { openDatabase } from '../database/open.ts';
import { hasNoDatabase, refuseUnfinishedRestore, withConnection } from '../database/start.ts';
import { createLog } from '../log.ts';
import { openStorage } from '../storage/open.ts';
import { readArguments } from './arguments.ts';

// npm run backup -- FOLDER: writes all data into a new folder, with or without a running server. npm run backup --
// --since EARLIER FOLDER: the same, with unchanged files from an earlier backup. npm run backup -- --check FOLDER: verifies
// every byte of a backup. See docs/operations.md.

const root = resolve(import.meta.dirname, '../../..');

process.umask(0o077);
const usage = 'Usage: npm run backup -- [--since EARLIER] FOLDER, or npm run backup -- --check FOLDER';
const { positionals, values } = readArguments(usage, { check: { type: 'boolean' }, since: { type: 'string' } });
const [folder] = positionals;
if (!folder || positionals.length > 1 || (values.check && values.since !== undefined)) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  try {
    if (values.check) {
      process.stdout.write(`${folder} is complete and undamaged: ${contents(await checkBackup(folder))}\n`);
    } else {
      const made = await backUp(readConfig(readEnvironment(root, process.env), root));
      const reused = values.since === undefined ? '' : `, ${made.reused} of them as in ${values.since}`;
      process.stdout.write(`${folder}: ${contents(made)}${reused}\n`);
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function backUp(config: Config): Promise<MadeBackup> {
  refuseUnfinishedRestore(config.dataDir);
  // Opening a database that does not exist would create it.
  if (hasNoDatabase(config)) {
    throw new BackupError(`There is nothing to back up: ${config.dataDir} has no database`);
  }
  // Requests of users take priority.
  setPriority(constants.priority.PRIORITY_LOW);
  return withConnection(config, createLog('ERROR'), async ({ app }) => {
    const storage = await openStorage(config.storage);
    const parts = { connection: app, storage, dataDir: config.dataDir, secretFile: secretFile(config), version };
    const manifest = await writeBackup({ ...parts, now: Date.now }, folder!, values.since);
    const db = openDatabase(app, () => undefined, 1);
    const details = { files: manifest.files.length, bytes: sizeOf(manifest) };
    const line = { actor: 'system', action: 'backup', target: manifest.id, details } as const;
    await audit(db, line, await readDatabaseTime(db)).finally(() => db.destroy());
    return manifest;
  });
}

function contents(manifest: Manifest): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const megabytes = (sizeOf(manifest) / 1e6).toFixed(1);
  return `${rows} rows of ${manifest.tables.length} tables and ${manifest.files.length} stored files as of ${manifest.at}, ${megabytes} MB`;
}

function sizeOf(manifest: Manifest): number {
  return backedUpFiles(manifest).reduce((sum, { bytes }) => sum + bytes, 0);
}
