import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sayRefusal } from '@kc/rules/all-messages';
import closeWithGrace from 'close-with-grace';
import { sql } from 'kysely';
import { createBotCheck } from './accounts/bot-check.ts';
import { claimLinks, reserveAccounts } from './accounts/built-in-accounts.ts';
import { startLinkMails } from './accounts/link-mails.ts';
import { actingAdmin, mayDo, mayImportLists } from './accounts/may-do.ts';
import { forgetOldActivity, keepShipping } from './accounts/old-activity.ts';
import { createPasswords } from './accounts/passwords.ts';
import { createApp, createHealthApp } from './app.ts';
import { startAvatars } from './avatars/start.ts';
import { type ScheduleDeps, scheduleBackups } from './backup/scheduled-backups.ts';
import { readDescription } from './clustering/model-folder.ts';
import { UnusableModel } from './clustering/static-model.ts';
import { type Config, ConfigError, nearMisses, readConfig, readEnvironment, readSecret, version } from './config.ts';
import { makeScheduledBackup } from './database/backup-lock.ts';
import { startDatabaseClock } from './database/clock.ts';
import { InUse } from './database/data-lock.ts';
import { listen } from './database/notifications.ts';
import { codeOf, isUnavailable } from './database/open.ts';
import { type RunningDatabase, startDatabase } from './database/start.ts';
import { watchSchema } from './database/watch-schema.ts';
import { watchImportFolder } from './drafts/import-folder.ts';
import { forgetEnded } from './forget-ended.ts';
import { prepareJobs } from './jobs/jobs.ts';
import { linkMount } from './links/link-routes.ts';
import { createLog, type Log } from './log.ts';
import { openMailer } from './mail/open-mailer.ts';
import { createMetrics, type Metrics, serveMetrics, watchDeployment } from './metrics/metrics.ts';
import { startVisualizations } from './start-visualizations.ts';
import { ignoreInspectorSignal, nodeOptions, refuseInspector, welcome, workerWelcome } from './startup.ts';
import { openStorage } from './storage/open.ts';
import { ForeignStorage, holdStorage } from './storage/owner.ts';
import { freeBytesOf, watchSpace } from './storage/space.ts';
import { type Storage, StorageDenied, StorageUnavailable } from './storage/storage.ts';
import { recordFiles } from './storage/stored-files.ts';

const root = resolve(import.meta.dirname, '../..');
const graceMs = 20_000;
const tidyMs = 3_600_000;
/** How long `/readyz` waits for the database and the storage. */
const readyMs = 4_000;

/** Undone in reverse order when the server ends, however far it got. */
const undo: (() => Promise<void> | void)[] = [];

async function stopAll(): Promise<void> {
  for (let step = undo.pop(); step; step = undo.pop()) await step();
}

async function start(config: Config, log: Log, metrics: Metrics | undefined): Promise<void> {
  await checkModelFolder(config);
  const end = () => process.kill(process.pid, 'SIGTERM');
  const database = await startDatabase(config, log, prepareJobs, () => {
    log.error({ dataDir: config.dataDir }, 'Another server took over the data directory: this one ends');
    end();
  });
  undo.push(() => database.stop());
  const secret = readSecret(config);

  const { db, connection } = database;
  const schema = watchSchema(db, log);
  undo.push(() => schema.stop());
  const { rest } = schema;
  const clock = await startDatabaseClock(db, log);
  undo.push(() => clock.stop());
  const { now } = clock;
  const passwords = await createPasswords();
  await reserveAccounts({ config, db, log, passwords }, now());
  const listener = listen(connection, log, () => log.info('Notifications are received again'));
  undo.push(() => listener.close());
  if (!config.smtpUrl) log.info({ event: 'config' }, 'SMTP_URL is not set: mails are files in DATA_DIR/mail');
  const mailer = openMailer(config, log, now);
  const mails = await startLinkMails({ config, db, connection, mailer, log, alone: database.alone, rest, now });
  undo.push(() => mails.stop());
  const opened = await openStorage(config.storage);
  await checkBucket(config, opened);
  const claim = { connection: connection(), storage: opened, adopt: config.adoptStorage, log, onLost: end };
  const storageClaim = await holdStorage(claim);
  undo.push(() => storageClaim.stop());
  const storage = recordFiles(opened, db);
  const free = { data_dir: () => freeBytesOf(config.dataDir), storage: () => storage.freeBytes() };
  const space = watchSpace({ free, alarmBytes: config.diskAlarmBytes, log });
  undo.push(() => space.stop());
  await space.look();
  if (metrics && config.metricsPort) {
    watchDeployment(metrics.registry, { db, free, space });
    const served = await serveMetrics(metrics.registry, config.host, config.metricsPort);
    undo.push(() => served.close());
  }
  const visualizations = await startVisualizations({
    db,
    connection,
    storage,
    listener,
    log,
    alone: database.alone,
    works: config.role !== 'serve',
    rest,
    sample: config.sample,
    sweepAtMost: config.sweepAtMost,
    memoryBytes: config.ingestMemoryBytes,
    modelFolder: config.clusterModelFolder,
    vectors: config.vectorCacheBytes
      ? {
          folder: join(config.dataDir, 'cache', 'vectors'),
          secret: createHmac('sha256', secret).update('vectors').digest('hex'),
          maxBytes: config.vectorCacheBytes,
        }
      : undefined,
    mayUpload: (tx, accountId) => actingAdmin(tx, { config }, accountId),
    mayDo: (tx, accountId, action) => mayDo(tx, { config }, accountId, action),
    mayImport: (tx, accountId, ownerId) => mayImportLists(tx, { config }, accountId, ownerId),
    baseUrl: config.baseUrl,
    supportEmail: config.supportEmail,
    mailer,
    webhooks: { network: { allowedHosts: config.webhookHosts }, secret },
    builtInAdmins: config.builtInAdmins,
    queryWatch: metrics,
    now,
  });
  undo.push(() => visualizations.stop());
  const { session, uploads, queueFileDeletion, announce } = visualizations;
  if (config.importFolder && config.role !== 'serve') {
    const { importFolder: folder, builtInAdmins } = config;
    undo.push(watchImportFolder({ db, storage, log, session, uploads, folder, builtInAdmins, now }));
  }
  if (config.backups && config.role !== 'serve') {
    const holding = (work: () => Promise<void>) => makeScheduledBackup(connection(), work);
    const backups = scheduleBackups({ schedule: config.backups, log, make: runBackup, alone: holding, now });
    undo.push(() => backups.stop());
    void backups.look();
  }
  if (config.activityLog) undo.push(keepShipping({ db, log, now }));
  const { alone } = database;
  const avatars = await startAvatars({ config, db, connection, log, alone, rest, now });
  undo.push(() => avatars.stop());
  const health = {
    config,
    log,
    secret,
    isReady: () => isReady(database, storage),
    schema,
    space,
    onRequestCompleted: metrics?.onRequestCompleted,
  };
  if (config.role === 'ingest') {
    const app = createHealthApp(health);
    undo.push(() => app.close());
    await app.listen({ host: config.host, port: config.port });
    tidyRegularly(database, config, log, now);
    process.stdout.write(workerWelcome(config));
    return;
  }
  const app = await createApp({
    ...health,
    db,
    listener,
    passwords,
    mails,
    botCheck: createBotCheck({ db, secret, now }),
    queueFileDeletion,
    announce,
    now,
    version,
    mounts: [
      visualizations.mount,
      avatars.mount,
      linkMount({ db, builtInAdmins: config.builtInAdmins, listener, log, now }),
    ],
    webFolder: join(root, 'web', 'dist'),
  });
  undo.push(() => app.close());
  await app.listen({ host: config.host, port: config.port });
  tidyRegularly(database, config, log, now);
  process.stdout.write(welcome(config, await claimLinks({ config, db, log }, now()), database.folder));
}

/** @throws ConfigError if the folder says nothing about its model */
async function checkModelFolder({ clusterModelFolder }: Config): Promise<void> {
  if (clusterModelFolder === undefined) return;
  await readDescription(clusterModelFolder).catch((error: unknown) => {
    if (!(error instanceof UnusableModel)) throw error;
    throw new ConfigError('CLUSTER_MODEL_DIR', `is ${clusterModelFolder}. ${sayRefusal(error.refusal)}`);
  });
}

/** @throws ConfigError if the store answers that the bucket cannot be used; one that does not answer may do so later */
async function checkBucket({ storage: place }: Config, storage: Storage): Promise<void> {
  if (place.kind !== 's3') return;
  await storage.check().catch((error: Error) => {
    if (error instanceof StorageUnavailable && !(error instanceof StorageDenied)) return;
    throw new ConfigError('STORAGE_URL', `names a bucket that cannot be used. ${error.message}`);
  });
}

async function isReady({ db }: RunningDatabase, storage: Storage): Promise<boolean> {
  try {
    const answered = Promise.all([sql`select 1`.execute(db), storage.check()]);
    await Promise.race([answered, late(readyMs)]);
    return true;
  } catch {
    return false;
  }
}

async function late(milliseconds: number): Promise<never> {
  await pause(milliseconds, undefined, { ref: false });
  throw new Error('No answer in time');
}

/** Rows that only take space: expired sessions, tokens, limits and, if it is wanted, old activity. */
function tidyRegularly({ db }: RunningDatabase, { activityDays }: Config, log: Log, now: () => number): void {
  const tidy = async (): Promise<void> => {
    try {
      await forgetEnded(db, now());
      if (activityDays !== undefined) await forgetOldActivity({ db, log, now }, activityDays);
    } catch (error) {
      log.warn({ err: error }, 'Old sessions, tokens and limits could not be removed');
    }
  };
  const timer = setInterval(() => void tidy(), tidyMs).unref();
  undo.push(() => clearInterval(timer));
  void tidy();
}

/** Errors of PostgreSQL about who signs in, the database, or its rights. */
const isRefusedByDatabase = (code: string | undefined): boolean => /^(28|3D|42501)/.test(code ?? '');

/** What went wrong first. The errors of Node's network calls are inside. */
function firstCause(error: unknown): Error {
  if (error instanceof AggregateError) return firstCause(error.errors[0]);
  if (!(error instanceof Error)) return new Error(String(error));
  return error.cause instanceof Error ? firstCause(error.cause) : error;
}

/** The message for an error that prevents the start, without a stack if the reader can fix it. */
function explain(error: unknown, config: Config | undefined): string {
  if ([ConfigError, InUse, ForeignStorage].some((known) => error instanceof known)) return (error as Error).message;
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    const { port } = error as { port?: number };
    const name = port !== undefined && port === config?.metricsPort ? 'METRICS_PORT' : 'PORT';
    return `${name} ${port ?? config?.port} is already in use: stop what uses it, or set another ${name}`;
  }
  const first = firstCause(error);
  if (config?.databaseUrl && (isUnavailable(first) || isRefusedByDatabase(codeOf(first))))
    return `DATABASE_URL names a database that cannot be used: ${first.message}`;
  if (code === 'EACCES' || code === 'EPERM') return `A file cannot be used by this user: ${(error as Error).message}`;
  return error instanceof Error ? error.message : String(error);
}

const command = fileURLToPath(new URL('./commands/backup.ts', import.meta.url));

/**
 * Makes a backup with the command that people use, in a process of its own, at low priority and with the variables of this
 * server.
 */
const runBackup: ScheduleDeps['make'] = async (target, since, signal) => {
  const args = since === undefined ? [target] : ['--since', since, target];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--disable-sigusr1', command, ...args], {
      signal,
    });
    return stdout.trim();
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw stderr?.trim() ? new Error(stderr.trim(), { cause: error }) : error;
  }
};

process.umask(0o077);
let config: Config | undefined;
try {
  const environment = readEnvironment(root, process.env);
  config = readConfig(environment, root);
  refuseInspector(config.production, nodeOptions());
  const metrics = config.metricsPort ? createMetrics() : undefined;
  const log = createLog(config.logLevel, undefined, metrics?.logged);
  if (config.production) ignoreInspectorSignal(log);
  for (const sentence of nearMisses(environment)) log.warn({ event: 'config' }, sentence);
  closeWithGrace(
    { delay: graceMs, logger: { error: (error) => log.error({ err: error }, 'The server ends') } },
    async ({ err }) => {
      // An unhandled error: the state is unknown from now on, so the server ends, and its supervisor starts it again.
      if (err) log.error({ err }, 'The server ends');
      await stopAll();
    },
  );
  await start(config, log, metrics);
} catch (error) {
  process.stderr.write(`${explain(error, config)}\n`);
  await stopAll();
  process.exit(1);
}
