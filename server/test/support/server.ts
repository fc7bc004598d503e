import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { InjectOptions, Response } from 'light-my-request';
import { createBotCheck, type Work } from '../../src/accounts/bot-check.ts';
import type { AccountDeps } from '../../src/accounts/deps.ts';
import { type LinkMails, startLinkMails } from '../../src/accounts/link-mails.ts';
import { actingAdmin, mayDo, mayImportLists } from '../../src/accounts/may-do.ts';
import { startSession } from '../../src/accounts/sessions.ts';
import { type AppDeps, createApp } from '../../src/app.ts';
import { avatarRoute } from '../../src/avatars/start.ts';
import { type Config, type Environment, readConfig } from '../../src/config.ts';
import { listen } from '../../src/database/notifications.ts';
import { watchSchema } from '../../src/database/watch-schema.ts';
import { prepareJobs } from '../../src/jobs/jobs.ts';
import { linkMount } from '../../src/links/link-routes.ts';
import { createLog } from '../../src/log.ts';
import type { Mail } from '../../src/mail/mailer.ts';
import { startVisualizations, type VisualizationDeps } from '../../src/start-visualizations.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { createMemoryStorage } from './memory-storage.ts';
import { cheapPasswords } from './passwords.ts';
import { clusterHere, readHere } from './work-here.ts';

export const builtInEmail = 'root@example.com';

/** Cheap proof-of-work settings, for the many tests that solve a check. */
export const lightWork: Work = { rounds: 1, minTries: 1, maxTries: 9 };

type ActorKind = { role?: 'admin' | 'user'; status?: 'pending' | 'approved' | 'denied' };

/** A complete server on its own database. It does not listen on a port, and tests set its clock. */
export type TestServer = {
  readonly app: FastifyInstance;
  readonly config: Config;
  readonly database: TestDatabase;
  /** The log lines. */
  readonly logged: string[];
  /** The sent mails, oldest first. */
  readonly mails: readonly Mail[];
  readonly askForMail: LinkMails['enqueue'];
  /** In milliseconds. Only tests advance it. */
  clock: number;
  /** Creates a user with a session. */
  person(standing: ActorKind): Promise<{ id: string; email: string; cookie: string }>;
  /** Sends a request as a page of this site does. `from` is the client's network address. */
  call(
    method: string,
    path: string,
    options?: { body?: unknown; cookie?: string | undefined; from?: string },
  ): Promise<Response>;
  close(): Promise<void>;
};

/**
 * @param replaced parts that should fail, do nothing, or are too slow for a test
 * @param storage must be on disk for tests that read packs, because a query thread cannot see in-memory storage
 * @param beside another server, whose database this one shares as a replica
 */
export async function testServer(
  environment: Environment = {},
  replaced: Partial<
    Pick<AccountDeps, 'queueFileDeletion' | 'passwords' | 'mails'> &
      Pick<AppDeps, 'webFolder' | 'space'> & { readonly webhooks: Partial<VisualizationDeps['webhooks']> }
  > = {},
  storage: Storage = createMemoryStorage(),
  beside?: TestServer,
): Promise<TestServer> {
  const config = readConfig({ SAMPLE: 'off', ADMIN_EMAILS: builtInEmail, ...environment }, tmpdir());
  const database = beside?.database ?? (await testDatabase(prepareJobs));
  const alone = beside === undefined;
  const { db } = database;
  const logged: string[] = [];
  const log = createLog('INFO', { write: (line) => logged.push(line) });
  const connection = () => database.connection;
  // Without looking by itself.
  const schema = watchSchema(db, log);
  schema.stop();
  const listener = listen(connection, log, () => undefined);
  let clock = Date.UTC(2026, 0, 15);
  const now = () => clock;
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close: () => undefined };
  const secret = 'what a server of tests signs and seals with';
  const visualizations = await startVisualizations({
    works: true,
    db,
    connection,
    storage,
    listener,
    log,
    alone,
    sample: false,
    memoryBytes: config.ingestMemoryBytes,
    mayUpload: (tx, accountId) => actingAdmin(tx, { config }, accountId),
    mayDo: (tx, accountId, action) => mayDo(tx, { config }, accountId, action),
    mayImport: (tx, accountId, ownerId) => mayImportLists(tx, { config }, accountId, ownerId),
    baseUrl: config.baseUrl,
    supportEmail: config.supportEmail,
    mailer,
    webhooks: { network: { allowedHosts: config.webhookHosts }, secret, ...replaced.webhooks },
    builtInAdmins: config.builtInAdmins,
    now,
    startReading: readHere,
    runClustering: clusterHere,
    ...(replaced.queueFileDeletion ? { queueFileDeletion: replaced.queueFileDeletion } : {}),
  });
  const { queueFileDeletion } = visualizations;
  const mails = replaced.mails ?? (await startLinkMails({ config, db, connection, mailer, log, alone, now }));
  const app = await createApp({
    config,
    db,
    log,
    listener,
    passwords: replaced.passwords ?? cheapPasswords,
    mails,
    botCheck: createBotCheck({ db, secret, now, work: lightWork }),
    secret,
    queueFileDeletion,
    announce: visualizations.announce,
    now,
    version: '0.0.0-test',
    mounts: [
      visualizations.mount,
      { routes: {}, raw: avatarRoute(db) },
      linkMount({ db, builtInAdmins: config.builtInAdmins, listener, log, now }),
    ],
    webFolder: replaced.webFolder ?? join(tmpdir(), 'no-bundle-here'),
    isReady: async () => true,
    schema,
    space: { low: () => [] },
    ...replaced,
  });

  const server: TestServer = {
    app,
    config,
    database,
    logged,
    mails: sent,
    askForMail: mails.enqueue,
    get clock() {
      return clock;
    },
    set clock(to) {
      clock = to;
    },
    async person({ role = 'user', status = 'approved' }) {
      const id = randomUUID();
      const email = `${id}@example.org`;
      const at = new Date(server.clock);
      await db.insertInto('accounts').values({ id, email, role, status, created_at: at, updated_at: at }).execute();
      return { id, email, cookie: `kc_session=${await startSession(db, id, false, server.clock)}` };
    },
    call: (method, path, { body, cookie, from } = {}) =>
      app.inject({
        method: method as NonNullable<InjectOptions['method']>,
        url: path,
        ...(from ? { remoteAddress: from } : {}),
        headers: {
          origin: config.baseUrl.origin,
          'sec-fetch-site': 'same-origin',
          ...(cookie ? { cookie } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      }),
    async close() {
      await app.close();
      await visualizations.stop();
      await mails.stop();
      await listener.close();
      if (alone) await database.close();
    },
  };
  return server;
}

/** The cookie that a browser would send after this response. */
export function cookieOf(response: Response): string {
  const header = response.headers['set-cookie'];
  const first = Array.isArray(header) ? header[0] : header;
  return (first ?? '').split(';')[0] ?? '';
}
