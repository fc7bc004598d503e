import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createBotCheck } from '../../src/accounts/bot-check.ts';
import { startLinkMails } from '../../src/accounts/link-mails.ts';
import { actingAdmin, mayDo, mayImportLists } from '../../src/accounts/may-do.ts';
import { startSession } from '../../src/accounts/sessions.ts';
import { createApp } from '../../src/app.ts';
import { avatarRoute } from '../../src/avatars/start.ts';
import { type Environment, readConfig } from '../../src/config.ts';
import { listen } from '../../src/database/notifications.ts';
import { watchSchema } from '../../src/database/watch-schema.ts';
import type { ImportFolderDeps } from '../../src/drafts/import-folder.ts';
import { linkMount } from '../../src/links/link-routes.ts';
import { createLog } from '../../src/log.ts';
import { openMailer } from '../../src/mail/open-mailer.ts';
import { startVisualizations, type VisualizationDeps } from '../../src/start-visualizations.ts';
import { openDiskStorage } from '../../src/storage/disk.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { recordFiles } from '../../src/storage/stored-files.ts';
import type { TestDatabase } from './database.ts';
import { cheapPasswords } from './passwords.ts';
import { clusterHere, readHere } from './work-here.ts';

/** A complete server on a loopback port. It uses the test's database and folder, so a test can restart it. */
export type TestApp = {
  readonly url: string;
  readonly storage: Storage;
  /** The logged errors. */
  readonly faults: readonly string[];
  /** All log lines. */
  readonly logged: readonly string[];
  /** Sends a request without a socket, to test the exact bytes of the response. */
  readonly inject: FastifyInstance['inject'];
  /** What the import folder needs beside its path and the clock. */
  readonly importing: Omit<ImportFolderDeps, 'folder' | 'now'>;
  stop(): Promise<void>;
};

export type TestAppOptions = Partial<
  Pick<
    VisualizationDeps,
    | 'alone'
    | 'works'
    | 'flip'
    | 'startReading'
    | 'runClustering'
    | 'sample'
    | 'memoryBytes'
    | 'modelFolder'
    | 'vectors'
    | 'clusteringPatience'
    | 'rateWindowMs'
    | 'readIdleMs'
    | 'wrapQueries'
    | 'now'
    | 'mailer'
  >
> & {
  /** Wraps the disk storage, to make it fail. */
  readonly wrap?: (disk: Storage) => Storage;
  readonly environment?: Environment;
};

export async function startTestApp(
  database: TestDatabase,
  directory: string,
  { wrap = (disk) => disk, now = Date.now, environment = {}, ...more }: TestAppOptions = {},
): Promise<TestApp> {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: directory, ...environment }, directory);
  const { db, connection } = database;
  const faults: string[] = [];
  const logged: string[] = [];
  const write = (line: string): void => {
    logged.push(line);
    if (line.startsWith('{"level":"ERROR"')) faults.push(line);
  };
  const log = createLog('INFO', { write });
  const storage = recordFiles(wrap(await openDiskStorage(join(directory, 'files'))), db);
  // Without looking by itself.
  const schema = watchSchema(db, log);
  schema.stop();
  const listener = listen(
    () => connection,
    log,
    () => undefined,
  );
  const mailer = openMailer(config, log, Date.now);
  const secret = 'what a server of tests signs and seals with';
  const visualizations = await startVisualizations({
    db,
    connection: () => connection,
    storage,
    listener,
    log,
    alone: true,
    works: true,
    sample: false,
    memoryBytes: 512 * 2 ** 20,
    mayUpload: (tx, accountId) => actingAdmin(tx, { config }, accountId),
    mayDo: (tx, accountId, action) => mayDo(tx, { config }, accountId, action),
    mayImport: (tx, accountId, ownerId) => mayImportLists(tx, { config }, accountId, ownerId),
    baseUrl: config.baseUrl,
    supportEmail: config.supportEmail,
    mailer,
    webhooks: { network: { allowedHosts: config.webhookHosts }, secret },
    builtInAdmins: config.builtInAdmins,
    now,
    startReading: readHere,
    runClustering: clusterHere,
    ...more,
  });
  const { session, uploads, queueFileDeletion } = visualizations;
  const mails = await startLinkMails({
    config,
    db,
    connection: () => connection,
    mailer,
    log,
    alone: true,
    now: Date.now,
  });
  const app = await createApp({
    config,
    db,
    log,
    listener,
    passwords: cheapPasswords,
    mails,
    botCheck: createBotCheck({ db, secret, now }),
    secret,
    queueFileDeletion,
    announce: visualizations.announce,
    version: '0.0.0',
    now,
    mounts: [
      visualizations.mount,
      { routes: {}, raw: avatarRoute(db) },
      linkMount({ db, builtInAdmins: config.builtInAdmins, listener, log, now }),
    ],
    webFolder: join(directory, 'no-bundle'),
    isReady: async () => true,
    schema,
    space: { low: () => [] },
  });
  return {
    url: await app.listen({ host: '127.0.0.1', port: 0 }),
    storage,
    faults,
    logged,
    inject: app.inject.bind(app),
    importing: { db, storage, log, session, uploads, builtInAdmins: config.builtInAdmins },
    async stop() {
      await app.close();
      await visualizations.stop();
      await mails.stop();
      await listener.close();
    },
  };
}

/** The cookie of a user who signed in at `now`, in server time. */
export async function cookieOf({ db }: TestDatabase, accountId: string, now = Date.now()): Promise<string> {
  return `kc_session=${await startSession(db, accountId, false, now)}`;
}
