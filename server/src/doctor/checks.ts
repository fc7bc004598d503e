import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { constants, existsSync, statSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { limits } from '@kc/rules/limits';
import pg from 'pg';
import { completeBackups } from '../backup/scheduled-backups.ts';
import { type Config, readSecret, secretFile } from '../config.ts';
import { onConnection } from '../database/copy-tables.ts';
import { type CommandDatabase, withConnection } from '../database/start.ts';
import { type Arrival, doctorHeader, doctorMark } from '../http/arrival.ts';
import { createLog } from '../log.ts';
import { createSmtpMailer, type SmtpMailer } from '../mail/open-mailer.ts';
import { openStorage } from '../storage/open.ts';
import { refuseOwner } from '../storage/owner.ts';
import { freeBytesOf } from '../storage/space.ts';
import { newKey, type Storage, StorageDenied, StorageUnavailable, whileOpen } from '../storage/storage.ts';
import { writeBlocks } from '../storage/whole-objects.ts';
import { memoryLimit } from '../worker-process.ts';

/** What a check of a deployment found. A `problem` keeps something from working; a `warning` is worth a look. */
export type Finding = {
  readonly kind: 'ok' | 'warning' | 'problem';
  /** What was checked, in one or two words. */
  readonly about: string;
  /** A sentence: what is there, and what to do about it. */
  readonly text: string;
};

type Check = () => Promise<readonly Finding[]>;

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

const ok = (about: string, text: string): Finding => ({ kind: 'ok', about, text });
const warning = (about: string, text: string): Finding => ({ kind: 'warning', about, text });
const problem = (about: string, text: string): Finding => ({ kind: 'problem', about, text });

/** An error in one line. Those of Node's network calls have no message of their own. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError) return sentenceOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` (${sentenceOf(error.cause)})`;
  return `${error.message || error.name}${cause}`.split('\n')[0]!;
}

const amount = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`;

/** Reading the largest file that is accepted takes about as much. */
const comfortableBytes = 2 * 2 ** 30;

/** The first Node 24 whose Brotli decoder a response from another server cannot reach. */
const soundNode = '24.22.1';

/**
 * Whether a version comes before another: numbers joined by full stops, compared part by part. What follows the numbers,
 * as in `18.4 (Debian 18.4-1)`, does not count.
 */
export function isOlder(version: string, than: string): boolean {
  const [parts, others] = [version, than].map((text) => /^[\d.]*/.exec(text)![0].split('.').map(Number));
  for (const [at, other] of others!.entries()) {
    const part = parts![at] ?? 0;
    if (part !== other) return part < other;
  }
  return false;
}

/** Whether a version of Node has a flaw that is known. */
export const nodeFinding = (version: string): Finding =>
  isOlder(version, soundNode)
    ? warning('Node', `Node ${version} has a known security flaw: install ${soundNode} or newer, and start with that`)
    : ok('Node', `Node ${version}`);

/** Node, memory for reading uploads, and space in `DATA_DIR`, which the embedded database and copies need. */
async function checkMachine({ dataDir, ingestMemoryBytes, diskAlarmBytes }: Config): Promise<Finding[]> {
  const free = await freeBytesOf(dataDir);
  return [
    nodeFinding(process.versions.node),
    ingestMemoryBytes < comfortableBytes
      ? warning(
          'memory',
          `Reading uploads may use ${amount(ingestMemoryBytes)}. Files that need more are refused: see INGEST_MEMORY`,
        )
      : ok('memory', `Reading uploads may use ${amount(ingestMemoryBytes)} of ${amount(memoryLimit())}`),
    free < diskAlarmBytes
      ? warning('disk', `${amount(free)} are free in ${dataDir}, and DISK_ALARM is ${amount(diskAlarmBytes)}`)
      : ok('disk', `${amount(free)} are free in ${dataDir}`),
  ];
}

const minVersion = 150_000;
/** The first PostgreSQL 18 without a security flaw that is known. Other majors have numbers of their own. */
const sound18 = '18.7';
/** Connections of one server: its pool, jobs, locks and notifications. */
const connectionsPerServer = 40;
const tolerableMs = 5_000;

type Facts = {
  readonly version: number;
  readonly name: string;
  readonly fsync: string;
  readonly synchronous: string;
  readonly most: number;
  readonly used: number;
  readonly superuser: boolean;
  readonly aheadMs: number;
  readonly bytes: number;
};

/** Version, durability, rights, connections and clock of the database. @param now the machine's clock */
async function checkDatabase({ app }: CommandDatabase, now: () => number): Promise<Finding[]> {
  const client = new pg.Client({ ...app, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<Facts>(
      `
      select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
        current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous,
        current_setting('max_connections')::int as most,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
        (select rolsuper from pg_roles where rolname = current_user) as superuser,
        (extract(epoch from clock_timestamp()) * 1000)::float8 - $1::float8 as "aheadMs",
        pg_database_size(current_database())::float8 as bytes
    `,
      [now()],
    );
    return findingsOf(rows[0]!);
  } finally {
    await client.end();
  }
}

function findingsOf({ version, name, fsync, synchronous, most, used, superuser, aheadMs, bytes }: Facts): Finding[] {
  const free = most - used;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return [
    versionFinding(version, name, bytes),
    fsync === 'on' && synchronous !== 'off'
      ? ok('durability', 'What is acknowledged survives a power failure: fsync is on, and commits wait for it')
      : problem(
          'durability',
          `A power failure can lose what was acknowledged: fsync is ${fsync}, synchronous_commit is ${synchronous}`,
        ),
    free < connectionsPerServer
      ? warning('database', `${used} of ${most} connections are in use. A server needs up to ${connectionsPerServer}`)
      : ok('database', `${used} of ${most} connections are in use`),
    ...(superuser
      ? [warning('database', 'The user of DATABASE_URL is a superuser. One that owns the database is enough')]
      : []),
    Math.abs(aheadMs) > tolerableMs
      ? warning(
          'clock',
          `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the database's, which counts`,
        )
      : ok('clock', "This machine's clock agrees with the database's"),
  ];
}

/** @param version `server_version_num` @param name `server_version`, which may end with a distribution's words */
export function versionFinding(version: number, name: string, bytes: number): Finding {
  if (version < minVersion) return problem('database', `PostgreSQL ${name} is too old: version 15 or newer is needed`);
  if (Math.floor(version / 10_000) === 18 && isOlder(name, sound18))
    return warning(
      'database',
      `PostgreSQL ${name} has known security flaws: use ${sound18} or newer, with DATABASE_URL or POSTGRES_BIN`,
    );
  return ok('database', `PostgreSQL ${name}, ${Math.round(bytes / 2 ** 20)} MiB`);
}

/** Of a pack that is written to a bucket in parts: so large that the rights for that are tried as well. */
const probeBytes = 17 * 2 ** 20;
const littleBytes = 5 * 2 ** 30;

/** Writes, publishes, reads, lists and removes an object, as uploads do. */
async function checkStorage(storage: Storage): Promise<Finding[]> {
  const where = storage.place.kind === 's3' ? `bucket ${storage.place.bucket}` : 'DATA_DIR/files';
  const steps = { done: 'opened' };
  try {
    await tryObject(storage, (step) => {
      steps.done = step;
    });
  } catch (error) {
    const why =
      error instanceof StorageUnavailable && !(error instanceof StorageDenied)
        ? 'it does not answer'
        : sentenceOf(error);
    return [problem('storage', `In ${where}, an object could not be used any more after it was ${steps.done}: ${why}`)];
  }
  const free = await storage.freeBytes();
  const space =
    free === Number.POSITIVE_INFINITY
      ? []
      : [
          free < littleBytes
            ? warning(
                'space',
                `${amount(free)} are free for files. A file needs its size and about 0.6 times that for its pack`,
              )
            : ok('space', `${amount(free)} are free for files`),
        ];
  return [ok('storage', `In ${where}, objects can be written, published, read, listed and removed`), ...space];
}

async function tryObject(storage: Storage, reached: (step: string) => void): Promise<void> {
  const [temp, pack, file] = [newKey('temp'), newKey('pack'), newKey('file')];
  const bytes = new Uint8Array(probeBytes).fill(7);
  try {
    for (const key of [temp, file]) await writeBlocks(storage, key, [bytes]);
    reached('written');
    await storage.publish(temp, pack);
    reached('published');
    await whileOpen(storage, file, async (stored) => {
      const read = await stored.read(probeBytes - 2, 2);
      if (read[0] !== 7 || stored.size !== probeBytes) throw new Error('other bytes were read than written');
    });
    reached('read');
    let isListed = false;
    for await (const key of storage.list()) isListed ||= key === file;
    if (!isListed) throw new Error('it is not listed');
    reached('listed');
  } finally {
    for (const key of [temp, pack, file]) await storage.remove(key);
  }
}

/** Whether the storage is that of the configured database: a server would refuse to start on another one's. */
async function checkOwner({ app }: CommandDatabase, storage: Storage): Promise<Finding[]> {
  const owner = await storage.owner();
  if (owner === undefined) return [ok('owner', 'No database has claimed the files yet: the next start does')];
  const identity = await onConnection(app, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from database_identity');
    return rows[0]?.id;
  });
  if (owner !== identity) refuseOwner(storage, owner, undefined);
  return [ok('owner', 'The files are those of this database')];
}

const dayMs = 86_400_000;

/** Whether the server can write to `BACKUP_DIR`, whether that is another disk, and how old the newest backup is. */
export async function checkBackups(
  { backups, dataDir }: Pick<Config, 'backups' | 'dataDir'>,
  now: number,
): Promise<Finding[]> {
  if (!backups) return [];
  const { folder } = backups;
  const place = await existing(folder);
  const isWritable = await access(place, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return [problem('backups', `${place} cannot be written to, so that no backup can be made in ${folder}`)];
  const newest = (await completeBackups(folder)).at(-1);
  const age = newest && Math.floor((now - newest.startedAt) / dayMs);
  const isOnSameDisk = (await stat(place)).dev === (await stat(dataDir)).dev;
  return [
    ...(isOnSameDisk
      ? [warning('backups', `${folder} is on the disk of ${dataDir}: a lost disk would lose both`)]
      : []),
    age === undefined
      ? warning('backups', `There is no backup in ${folder} yet`)
      : age > 1
        ? warning('backups', `The newest backup in ${folder} is ${age} days old: look for backup-failed in the log`)
        : ok('backups', `The newest backup in ${folder} is not older than two days`),
  ];
}

/** The folder, or the nearest one above it that exists. */
async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  return found || dirname(folder) === folder ? folder : existing(dirname(folder));
}

const waitMs = 10_000;

/**
 * Opens `BASE_URL` as a browser would, through every proxy: whether it is this installation that answers, whose address it
 * counts, and whether parts of uploads pass.
 */
export async function checkAddress({ baseUrl }: Config, secret: string): Promise<Finding[]> {
  const { origin } = baseUrl;
  const response = await requestHealth(origin, secret).catch((error: unknown) => sentenceOf(error));
  if (typeof response === 'string') return [problem('address', `${origin} does not answer: ${response}`)];
  const { arrival } = response;
  if (!arrival)
    return [
      problem(
        'address',
        `What answers at ${origin} is not a server with this SECRET: see whether the server runs and BASE_URL is right`,
      ),
    ];
  return [
    ok('address', `${origin} leads to this installation`),
    ...aboutProxy({ ...response, arrival }, baseUrl),
    await checkParts(origin),
  ];
}

type HealthResponse = {
  readonly arrival: Arrival | undefined;
  /** The address that the request pretended to come from, as anybody's can. */
  readonly forged: string;
  /** The port of this end. */
  readonly port: number | undefined;
};

async function requestHealth(origin: string, secret: string): Promise<HealthResponse> {
  // Of a network that is reserved for documentation.
  const forged = `198.51.100.${randomInt(1, 255)}`;
  const headers = { [doctorHeader]: doctorMark(secret), 'x-forwarded-for': forged };
  const send = origin.startsWith('https:') ? httpsRequest : httpRequest;
  const sent = send(`${origin}/healthz`, { headers, agent: false, signal: AbortSignal.timeout(waitMs) });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const port = answer.socket.localPort;
  const body = JSON.parse(await text(answer).catch(() => '{}')) as { arrival?: Arrival };
  return { arrival: body.arrival, forged, port };
}

function aboutProxy(
  { arrival, forged, port }: HealthResponse & { readonly arrival: Arrival },
  baseUrl: URL,
): Finding[] {
  const { host } = arrival;
  return [
    // The same connection arrives that was opened here.
    arrival.peerPort === port ? ok('proxy', 'No proxy is in between') : aboutAddresses(arrival, forged),
    ...(host === baseUrl.host
      ? []
      : [
          warning(
            'proxy',
            `The server is asked for the host ${host}, not for ${baseUrl.host}: pass the header Host on`,
          ),
        ]),
  ];
}

function aboutAddresses({ peer, isTrusted, counted, forwardedFor }: Arrival, forged: string): Finding {
  if (!isTrusted)
    return warning(
      'proxy',
      `A proxy at ${peer} forwards addresses, and TRUSTED_PROXIES does not name it: all users count as one address`,
    );
  if (forwardedFor === undefined)
    return warning('proxy', `The proxy at ${peer} does not set X-Forwarded-For: all users count as one address`);
  // One that adds the address of its client behind what that sent is right, too.
  if (counted === forged && forwardedFor.endsWith(forged))
    return problem(
      'proxy',
      `Anybody can pretend another address: the proxy at ${peer} passes on the X-Forwarded-For that it gets. Let it replace the header`,
    );
  return ok('proxy', `The proxy at ${peer} is trusted, and users count by their own addresses`);
}

/** Sends as much as a part of an upload has, without signing in. */
async function checkParts(origin: string): Promise<Finding> {
  const status = await fetch(`${origin}/api/uploads/${'0'.repeat(32)}`, {
    method: 'PATCH',
    headers: { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: new Uint8Array(limits.maxChunkBytes),
    signal: AbortSignal.timeout(60_000),
  }).then(
    (answer) => answer.status,
    (error: unknown) => sentenceOf(error),
  );
  const size = `${limits.maxChunkBytes / 2 ** 20} MiB`;
  if (status === 413)
    return warning('proxy', `A proxy refuses bodies of ${size}. Uploads work in smaller parts, and take longer`);
  if (status === 401) return ok('proxy', `Parts of uploads pass, up to ${size}`);
  return warning('proxy', `A part of an upload was answered with ${status} instead of 401`);
}

/** Signs in at the mail server, and sends nothing. */
async function checkMail(mailer: SmtpMailer | undefined): Promise<Finding[]> {
  if (!mailer)
    return [warning('mail', 'SMTP_URL is not set: mails are files in DATA_DIR/mail, and nobody receives them')];
  try {
    await mailer.verify();
    return [ok('mail', 'The mail server accepts this one')];
  } catch (error) {
    return [problem('mail', `Mails cannot be sent: ${sentenceOf(error)}`)];
  }
}
