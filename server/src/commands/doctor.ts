import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, nearMisses, readConfig, readEnvironment, readSecret, secretFile } from '../config.ts';
import { withConnection } from '../database/start.ts';
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
} from '../doctor/checks.ts';
import { createLog } from '../log.ts';
import { createSmtpMailer } from '../mail/open-mailer.ts';
import { openStorage } from '../storage/open.ts';

// npm run doctor: checks a deployment, with the variables of the server. See docs/operations.md.

/** What a server makes in its data directory: the first two with the embedded database, one of the others in any case. */
const embedded = [join('postgres', 'PG_VERSION'), 'postgres.location'];
const installed = ['server.lock', 'secret', 'files'];

const root = resolve(import.meta.dirname, '../../..');
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
const marks = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' } as const;

process.umask(0o077);
try {
  const environment = readEnvironment(root, process.env);
  const config = readConfig(environment, root);
  const misses = nearMisses(environment).map((text) => ({ kind: 'warning', about: 'variables', text }) as const);
  const found = [...misses, ...(await examine(config))];
  for (const { kind, about, text } of found) process.stdout.write(`${marks[kind]} ${about.padEnd(11)} ${text}.\n`);
  const problems = found.filter(({ kind }) => kind === 'problem').length;
  const warnings = found.filter(({ kind }) => kind === 'warning').length;
  process.stdout.write(`\n${counted(problems, 'problem')}, ${counted(warnings, 'warning')}\n`);
  process.exitCode = problems > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = 1;
}
// Connections that a client keeps open must not keep the command running.
process.exit();

async function examine(config: Config): Promise<Finding[]> {
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
