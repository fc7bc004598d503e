import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseName, roles } from '../../src/database/cluster.ts';
import { type Db, openDatabase } from '../../src/database/open.ts';
import { livePostmaster } from '../../src/database/postmaster.ts';
import { openDiskStorage } from '../../src/storage/disk.ts';
import type { Fault } from './faults.ts';
import { endProcess, inherited, killDatabase, type Processes, type ServerProcess } from './process.ts';
import { sweepWhen } from './sweep.ts';
import { type TusClient, tusClient } from './tus.ts';

const preload = join(import.meta.dirname, 'faults.ts');
const email = 'admin@example.com';
const password = 'violet-Quarry-77-lamp';
const hour = 3_600_000;
const MiB = 2 ** 20;

/** A file whose length and number of keywords are known. */
export type Sent = { readonly bytes: Uint8Array<ArrayBuffer>; readonly keywords: number };
/** A file and the visualization that the server reported for it. */
export type Delivered = Sent & { readonly userId: string; readonly location: string; readonly visualizationId: string };

/** A server that is killed and restarted, with a client that continues after each restart. */
export type World = Awaited<ReturnType<typeof createWorld>>;

/** @param more environment variables in addition to those that every test needs */
export async function createWorld(processes: Processes, more: Record<string, string> = {}) {
  const dataDir = processes.newFolder();
  let server: ServerProcess | undefined;
  let cookie = '';
  let starts = 0;

  const running = (): ServerProcess => {
    if (!server) throw new Error('No server runs');
    return server;
  };
  const environment = (fault?: Fault): Record<string, string> => ({
    ADMIN_PASSWORD: password,
    INGEST_MEMORY: '512 MiB',
    ...more,
    ...(fault ? { TEST_FAULT: JSON.stringify(fault) } : {}),
  });

  const world = {
    dataDir,
    /** Starts the server and waits until it is ready. The first start also signs in. */
    async start(fault?: Fault, under?: readonly string[]): Promise<void> {
      server = await processes.start(dataDir, environment(fault), { preload, ...(under ? { under } : {}) });
      starts++;
      cookie ||= await signIn(running().url);
    },
    /** Starts the server with a fault that occurs before it is ready or soon after, and waits until it ends. */
    async startToDie(fault: Fault): Promise<void> {
      server = await processes.launch(dataDir, environment(fault), { preload });
      await world.died();
    },
    async stop(): Promise<void> {
      await endProcess(running().child, 'SIGTERM');
    },
    /** Waits until the server ends. @throws Error unless SIGKILL ended it */
    async died(): Promise<void> {
      const { child, complaint } = running();
      if (child.exitCode === null && child.signalCode === null) {
        await new Promise((resolve) => child.once('exit', resolve));
      }
      // 137 is the exit code after SIGKILL, reported when the server runs under another program.
      if (child.signalCode !== 'SIGKILL' && child.exitCode !== 137) {
        throw new Error(`It ended by itself (${child.exitCode ?? child.signalCode}): ${complaint()}`);
      }
    },
    kill: () => endProcess(running().child, 'SIGKILL'),
    killDatabase: () => killDatabase(dataDir),
    get starts() {
      return starts;
    },
    client: (): TusClient => tusClient(running().url, cookie),
    get url() {
      return running().url;
    },
    get pid() {
      return running().child.pid!;
    },
    get cookie() {
      return cookie;
    },
    complaint: () => running().complaint(),
    call: (method: string, path: string) => fetch(running().url + path, { method, headers: { cookie } }),
    /** Accesses the database directly, without the server. */
    async inDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
      const db = openDatabase(ownerOf(dataDir), () => undefined, 2);
      try {
        return await work(db);
      } finally {
        await db.destroy();
      }
    },
  };
  return world;
}

function ownerOf(dataDir: string) {
  const postmaster = livePostmaster(join(dataDir, 'postgres'));
  if (!postmaster) throw new Error('The database does not run');
  const passwords = JSON.parse(readFileSync(join(dataDir, 'secret', 'database.json'), 'utf8')) as { owner: string };
  const { host, port } = postmaster;
  return { host, port, user: roles.owner, password: passwords.owner, database: databaseName };
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, remember: false }),
  });
  const [cookie] = response.headers.getSetCookie();
  if (!cookie) throw new Error(`Not signed in: ${response.status}`);
  return cookie.split(';')[0]!;
}

/** The output and exit status of a command. `status` is null if it was killed. */
export type Ran = { readonly status: number | null; readonly output: string };

/** Runs `npm run backup` or `npm run restore` on a world's data directory, in a process that can have a fault. */
export async function runCommand(
  world: World,
  name: 'backup' | 'restore',
  folder: string,
  fault?: Fault,
): Promise<Ran> {
  const command = [
    ...(fault ? ['--import', preload] : []),
    join(import.meta.dirname, '../../src/commands', `${name}.ts`),
    folder,
  ];
  const environment = fault ? { TEST_FAULT: JSON.stringify(fault) } : {};
  const child = spawn(process.execPath, command, {
    env: { ...inherited(), DATA_DIR: world.dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
  const [status] = await once(child, 'close');
  return { status: status as number | null, output };
}

/** A short upload is read after its last byte, a long one while it arrives. */
export const fileSizes = { short: 5 * MiB, long: 9 * MiB } as const;

/** A file of about `size` bytes, which is synced on the way and at its end. Each number gives a different file. */
export function someFile(number: number, size: number = fileSizes.short): Sent {
  const keywords = 3 + (number % 5);
  const names = Array.from({ length: keywords }, (_, i) => `shoe ${number} ${i}`);
  const text = JSON.stringify({
    keywords: names,
    hierarchy: { name: `shoes ${number}`, children: names.map((name) => ({ name })) },
  });
  const bytes = new Uint8Array(size + number).fill(0x20);
  bytes.set(new TextEncoder().encode(text), 1000 + number);
  return { bytes, keywords };
}

/** Thrown when an upload ends in a status other than `active`. */
export class NotActive extends Error {
  readonly status: object;
  constructor(status: object) {
    super(`Not active: ${JSON.stringify(status)}`);
    this.status = status;
  }
}

/**
 * Sends a file as the browser does and survives crashes: when the server dies, it restarts the server and resumes the
 * upload from the offset that the new one reports.
 *
 * @param onDeath called before each restart
 * @throws NotActive when the server reports that the upload failed
 */
export async function deliver(
  world: World,
  userId: string,
  sent: Sent,
  onDeath: () => void | Promise<void> = () => undefined,
): Promise<Delivered> {
  let location: string | undefined;
  for (;;) {
    try {
      location ??= await create(world.client(), userId, sent);
      await sendRest(world.client(), location, sent);
      const status = await world.client().settled(location);
      if (status.state !== 'active' || !status.visualizationId) throw new NotActive(status);
      return { ...sent, userId, location, visualizationId: status.visualizationId };
    } catch (error) {
      // fetch throws this when the server is gone. All other errors are the test's own.
      if (!(error instanceof TypeError) || !/^(fetch failed|terminated)$/.test(error.message)) throw error;
      await world.died();
      await onDeath();
      await world.start();
    }
  }
}

async function create(client: TusClient, userId: string, { bytes }: Sent): Promise<string> {
  const response = await client.create(bytes.length, { filename: 'shoes.json', userId });
  const location = response.headers.get('location');
  if (response.status !== 201 || !location) throw new Error(`Not created: ${response.status} ${await response.text()}`);
  return location;
}

async function sendRest(client: TusClient, location: string, { bytes }: Sent): Promise<void> {
  const head = await client.head(location);
  if (head.status !== 200) throw new Error(`An upload that was begun is gone: ${head.status}`);
  const offset = Number(head.headers.get('upload-offset'));
  if (offset === bytes.length) return;
  const response = await client.patch(location, offset, bytes.slice(offset));
  if (response.status !== 204) throw new Error(`Not taken: ${response.status} ${await response.text()}`);
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const filesOf = (world: World) => openDiskStorage(join(world.dataDir, 'files'));

const storedFile = (world: World, key: string) => readFileSync(join(world.dataDir, 'files', key));

/** The rows and stored bytes of one user, to check later that other users' uploads did not change them. */
export async function fingerprint(world: World, userId: string): Promise<string> {
  const records = await recordsOf(world, userId);
  const files = records.flatMap((record) => [record.file_key, record.pack_key]);
  return JSON.stringify([records, files.map((key) => sha256(storedFile(world, key)))]);
}

export const recordsOf = (world: World, userId: string) =>
  world.inDatabase((db) =>
    db.selectFrom('visualizations').selectAll().where('user_id', '=', userId).orderBy('id').execute(),
  );

/** I1, I2, I6: every delivered file is stored exactly once and complete, and each user's last one is active. */
export async function findLost(world: World, delivered: readonly Delivered[]): Promise<string[]> {
  const problems: string[] = [];
  for (const userId of new Set(delivered.map((one) => one.userId))) {
    const records = await recordsOf(world, userId);
    const mine = delivered.filter((one) => one.userId === userId);
    const active = records.filter((record) => record.is_active).map((record) => record.id);
    if (records.length !== mine.length) problems.push(`I6: ${records.length} records of ${mine.length} uploads`);
    if (active.join() !== mine.at(-1)!.visualizationId) problems.push(`I1: active are ${active}`);
    for (const { visualizationId, bytes, keywords } of mine) {
      const record = records.find(({ id }) => id === visualizationId);
      if (record?.keywords !== keywords) problems.push(`I2: ${record?.keywords} keywords of ${keywords}`);
      if (!record || sha256(storedFile(world, record.file_key)) !== sha256(bytes)) problems.push('I2: other bytes');
      const slice = await world.call('GET', `/api/visualizations/${visualizationId}/slice`);
      if (slice.status !== 200) problems.push(`I3: the pack answers ${slice.status}`);
    }
    // Downloads only the newest from the server: the number of downloads per user and hour is limited.
    const { visualizationId, bytes } = mine.at(-1)!;
    const original = await world.call('GET', `/api/visualizations/${visualizationId}/original`);
    if (sha256(new Uint8Array(await original.arrayBuffer())) !== sha256(bytes))
      problems.push(`I2: the original comes with other bytes (${original.status})`);
  }
  return problems;
}

/** I3, I4, I5: after a sweep a day later, every record and every draft has its objects, and no other objects exist. */
export async function findLoose(world: World): Promise<string[]> {
  const storage = await filesOf(world);
  return world.inDatabase(async (db) => {
    await sweepWhen({ db, storage, now: () => Date.now() + 25 * hour });
    const records = await db.selectFrom('visualizations').selectAll().execute();
    const wanted = new Map(
      records.flatMap((record) => [
        [record.file_key, record.file_size],
        [record.pack_key, 0],
      ]),
    );
    const drafts = await db.selectFrom('drafts').select(['graph_key', 'file_key', 'pack_key']).execute();
    for (const { graph_key, file_key, pack_key } of drafts)
      for (const key of [graph_key, file_key, pack_key]) if (key !== null) wanted.set(key, 0);
    const lists = await db.selectFrom('uploads').select(['file_key', 'size']).where('kind', '=', 'list').execute();
    for (const { file_key, size } of lists) wanted.set(file_key, size);
    const problems: string[] = [];
    for await (const key of storage.list()) if (!wanted.has(key)) problems.push(`I4: ${key} is nobody's`);
    for (const [key, size] of wanted) {
      const found = await storage.stat(key);
      if (!found || (size > 0 && found.size !== size))
        problems.push(`I3, I5: ${key} has ${found?.size} bytes of ${size}`);
    }
    return problems;
  });
}
