import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readSecret, secretFile } from '../config.ts';
import { withConnection } from '../database/start.ts';
import { createLog } from '../log.ts';
import { createSmtpMailer } from '../mail/open-mailer.ts';
import { openStorage } from '../storage/open.ts';
import {
  type Check,
  checkAddress,
  checkBackups,
  checkDatabase,
  checkMachine,
  checkMail,
  checkOwner,
  checkStorage,
  type Finding,
  problem,
  sentenceOf,
} from './checks.ts';

/** What a server makes in its data directory: the first two with the embedded database, one of the others in any case. */
const embedded = [join('postgres', 'PG_VERSION'), 'postgres.location'];
const installed = ['server.lock', 'secret', 'files'];

/**
 * All checks of a deployment, one after the other; one that throws is a problem. Without an installation of the server's own
 * user there is only that to say, and nothing is written.
 */
export async function examine(config: Config): Promise<Finding[]> {
  const place = statSync(config.dataDir, { throwIfNoEntry: false });
  if (!place) return [problem('DATA_DIR', `${config.dataDir} does not exist: start the server once, or set DATA_DIR`)];
  // What this command writes there, the server must be able to read.
  if (process.getuid && process.getuid() !== place.uid)
    return [
      problem('DATA_DIR', `${config.dataDir} belongs to user ${place.uid}: run this command as the server's user`),
    ];
  // A check creates nothing: neither a database nor a secret.
  if (!(config.databaseUrl ? installed : embedded).some((name) => existsSync(join(config.dataDir, name))))
    return [problem('DATA_DIR', `${config.dataDir} has no installation: start the server once, or set DATA_DIR`)];
  const key = secretFile(config);
  if (key && !existsSync(key))
    return [problem('SECRET', `is not set, and there is no ${key}: this command needs the variables of the server`)];
  const checks: readonly (readonly [string, Check])[] = [
    ['machine', () => checkMachine(config)],
    ['database', () => withConnection(config, createLog('ERROR'), (database) => checkDatabase(database, Date.now))],
    ['storage', async () => checkStorage(await openStorage(config.storage))],
    [
      'owner',
      () =>
        withConnection(config, createLog('ERROR'), async (database) =>
          checkOwner(database, await openStorage(config.storage)),
        ),
    ],
    ['backups', () => checkBackups(config, Date.now())],
    ['address', () => checkAddress(config, readSecret(config))],
    ['mail', () => checkMail(config.smtpUrl ? createSmtpMailer(config.smtpUrl, config.mailFrom) : undefined)],
  ];
  const found: Finding[] = [];
  for (const [about, check] of checks) {
    found.push(...(await check().catch((error: unknown) => [problem(about, sentenceOf(error))])));
  }
  return found;
}
