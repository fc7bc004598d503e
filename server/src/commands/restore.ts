import { resolve } from 'node:path';
import { restoreBackup } from '../backup/restore-backup.ts';
import { readConfig, readEnvironment } from '../config.ts';
import { withConnection } from '../database/start.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { createLog } from '../log.ts';
import { openStorage } from '../storage/open.ts';
import { readArguments } from './arguments.ts';

// npm run restore -- FOLDER: restores a backup into an empty data directory and an empty database. See
// docs/operations.md.

/** The repository, where `.env` is. */
const root = resolve(import.meta.dirname, '../../..');

process.umask(0o077);
const usage = 'Usage: npm run restore -- FOLDER';
const { positionals } = readArguments(usage, {});
const [folder] = positionals;
if (!folder || positionals.length > 1) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  try {
    const config = readConfig(readEnvironment(root, process.env), root);
    const { at } = await restoreBackup(
      {
        dataDir: config.dataDir,
        openStorage: () => openStorage(config.storage),
        adoptStorage: config.adoptStorage,
        withDatabase: (work, lock) => withConnection(config, createLog('ERROR'), work, lock),
        prepare: prepareJobs,
        now: Date.now,
      },
      folder,
    );
    process.stdout.write(`Restored the backup of ${at} into ${config.dataDir}. Everyone has to sign in again.\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
