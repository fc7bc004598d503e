import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp, type TestAppOptions } from '../../../test/support/app.ts';
import { childProcesses } from '../../../test/support/child-processes.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { type TusClient, tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import { createLog } from '../../log.ts';
import { isLockHeld } from '../upload/upload-queries.ts';
import { readDuringUpload } from './follow-upload.ts';
import { type IngestDeps, readingLock } from './ingest.ts';

let database: TestDatabase;
let directory: string;
const running: TestApp[] = [];

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await insertAccount(database.db, 'admin', { role: 'admin' });
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-behind-'));
});
afterEach(async () => {
  for (const app of running.splice(0)) {
    await app.stop();
    expect(app.faults).toEqual([]);
  }
  await rm(directory, { recursive: true });
});
afterAll(() => database.close());

async function start(options: TestAppOptions = {}): Promise<TusClient & { app: TestApp }> {
  const app = await startTestApp(database, directory, options);
  running.push(app);
  return { app, ...tusClient(app.url, await cookieOf(database, 'admin')) };
}

async function stop(app: TestApp): Promise<void> {
  running.splice(running.indexOf(app), 1);
  await app.stop();
  expect(app.faults).toEqual([]);
}

const mib = 2 ** 20;
const metadata = { filename: 'shoes.json', userId: 'admin' };
const beginning = '{"keywords":["trail shoes"],';
const end = '"hierarchy":{"name":"shoes"}}';

/** A valid file of 20 MiB, in which `text` replaces the spaces at byte `at`. */
function file(at = 0, text = ''): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(20 * mib).fill(0x20);
  const put = (where: number, what: string) => bytes.set(new TextEncoder().encode(what), where);
  put(0, beginning);
  put(bytes.length - end.length, end);
  if (at) put(at, text);
  return bytes;
}

const begin = async (client: TusClient): Promise<string> =>
  (await client.create(20 * mib, metadata)).headers.get('location')!;
const send = (client: TusClient, location: string, bytes: Uint8Array<ArrayBuffer>, from: number, to: number) =>
  client.patch(location, from * mib, bytes.slice(from * mib, to * mib));
const idOf = (location: string): string => location.split('/').at(-1)!;
const refusalOf = async (response: Response): Promise<unknown> => ((await response.json()) as { data: unknown }).data;
const files = (): Promise<string[]> => readdir(join(directory, 'files'));
const uploadRow = (location: string) =>
  database.db.selectFrom('uploads').selectAll().where('id', '=', idOf(location)).executeTakeFirst();

/** Whether a server holds the reader lock of this upload. */
async function isRead(location: string): Promise<boolean> {
  const { rows } = await sql`select where ${isLockHeld(`'${readingLock(idOf(location))}'`)}`.execute(database.db);
  return rows.length > 0;
}

async function waitUntilRead(location: string, isIt = true): Promise<void> {
  while ((await isRead(location)) !== isIt) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('a file with an error', () => {
  const broken = file(6 * mib, '!');
  const refusal = { code: 'upload/invalid-json', params: { byte: 6 * mib } };

  // Shows P10.11.
  test('is rejected while it arrives: the next request gets the reason, and the bytes are deleted', async () => {
    const admin = await start();
    const location = await begin(admin);
    expect((await send(admin, location, broken, 0, 8)).status).toBe(204);
    expect((await admin.settled(location)).refusal).toMatchObject(refusal);
    const next = await send(admin, location, broken, 8, 12);
    expect(next.status).toBe(422);
    expect(await refusalOf(next)).toMatchObject(refusal);
    expect((await uploadRow(location))?.received).toBe(8 * mib);
    await expect.poll(files).toEqual([]);
  });

  test('causes an immediate response to the current request, before its last byte', async () => {
    const admin = await start();
    const location = await begin(admin);
    const sending: ClientRequest = request(admin.app.url + location, {
      method: 'PATCH',
      headers: {
        cookie: await cookieOf(database, 'admin'),
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
        'content-length': broken.length,
      },
    });
    sending.on('error', () => undefined);
    const answer = new Promise((resolve) => sending.once('response', ({ statusCode }) => resolve(statusCode)));
    sending.write(broken.subarray(0, 10 * mib));
    expect(await answer).toBe(422);
    sending.destroy();
    await expect.poll(files).toEqual([]);
  });

  test('is rejected by the server that reads it, whichever receives the bytes', async () => {
    const one = await start({ alone: false });
    const location = await begin(one);
    await send(one, location, broken, 0, 4);
    await waitUntilRead(location);
    const two = await start({ alone: false });
    expect((await send(two, location, broken, 4, 8)).status).toBe(204);
    expect((await two.settled(location)).refusal).toMatchObject(refusal);
    expect((await send(two, location, broken, 8, 12)).status).toBe(422);
    expect((await send(one, location, broken, 8, 12)).status).toBe(422);
  });

  test('is rejected after the server that read it has stopped: the next one reads it from the start', async () => {
    const one = await start({ alone: false });
    const two = await start({ alone: false });
    const location = await begin(one);
    await send(one, location, broken, 0, 4);
    await waitUntilRead(location);
    await stop(one.app);
    expect((await send(two, location, broken, 4, 8)).status).toBe(204);
    expect((await two.settled(location)).refusal).toMatchObject(refusal);
  });
});

describe('a valid file that is read while it arrives', () => {
  test('is active after its last byte, read once', async () => {
    const admin = await start();
    const location = await begin(admin);
    await send(admin, location, file(), 0, 4);
    await waitUntilRead(location);
    await send(admin, location, file(), 4, 20);
    expect(await admin.settled(location)).toMatchObject({ state: 'active' });
    expect((await uploadRow(location))?.attempts).toBe(1);
    await waitUntilRead(location, false);
    const { file_key, pack_key } = (await uploadRow(location))!;
    await expect.poll(async () => (await files()).sort()).toEqual([file_key, pack_key].sort());
  });

  test('is no longer read once it is cancelled', async () => {
    const admin = await start();
    const location = await begin(admin);
    await send(admin, location, file(), 0, 4);
    await waitUntilRead(location);
    expect((await admin.remove(location)).status).toBe(204);
    await waitUntilRead(location, false);
    expect(await files()).toEqual([]);
  });

  test('is no longer read once the account it is for is deleted', async () => {
    const admin = await start();
    await insertAccount(database.db, 'short-lived');
    const created = await admin.create(20 * mib, { ...metadata, userId: 'short-lived' });
    const location = created.headers.get('location')!;
    await send(admin, location, file(), 0, 4);
    await waitUntilRead(location);
    await database.db.deleteFrom('accounts').where('id', '=', 'short-lived').execute();
    await sql`select pg_notify('upload_wanted', ${idOf(location)})`.execute(database.db);
    await waitUntilRead(location, false);
  });

  test('is finished by the next server if all stopped before its last byte was read', async () => {
    const one = await start();
    const location = await begin(one);
    await send(one, location, file(), 0, 4);
    await waitUntilRead(location);
    await send(one, location, file(), 4, 20);
    await stop(one.app);
    const two = await start();
    expect(await two.settled(location)).toMatchObject({ state: 'active' });
    expect((await uploadRow(location))?.attempts).toBe(1);
  });
});

/** The log lines of the attempts to read an upload: starts and results. */
const attemptsOf = (app: TestApp, location: string): string[] =>
  app.logged
    .map((line) => JSON.parse(line) as { event?: string; upload?: string; when: string; how?: string; reason?: string })
    .filter(({ event, upload }) => event?.startsWith('upload-reading') && upload === idOf(location))
    .map(({ event, when, how, reason }) =>
      event === 'upload-reading-began' ? `began ${when}` : [how, reason].filter(Boolean).join(': '),
    );
const standsStill = 'interrupted: No byte arrived, and none was read, for too long';

/** The process ID of the only child process that reads an upload, once it is started. */
async function readerPid(): Promise<number> {
  await expect.poll(() => childProcesses('ingest-worker')).toHaveLength(1);
  return (await childProcesses('ingest-worker'))[0]!;
}

describe('a stalled upload', () => {
  test('loses its place while bytes are missing, is read from the start later, and the log says so', async () => {
    const admin = await start({ readIdleMs: 300 });
    const location = await begin(admin);
    await send(admin, location, file(), 0, 4);
    await expect.poll(() => attemptsOf(admin.app, location)).toEqual(['began while it arrives', standsStill]);
    await send(admin, location, file(), 4, 20);
    expect((await admin.settled(location)).state).toBe('active');
    // Written after the state, which may be read before.
    await expect.poll(() => attemptsOf(admin.app, location).at(-1)).toBe('active');
  });

  test.runIf(existsSync('/proc/self/task'))(
    'keeps its reader after the last byte, however long that takes',
    async () => {
      const admin = await start({ readIdleMs: 4_000 });
      const location = await begin(admin);
      await send(admin, location, file(), 0, 4);
      await send(admin, location, file(), 4, 19);
      await waitUntilRead(location);
      const pid = await readerPid();
      process.kill(pid, 'SIGSTOP');
      try {
        await send(admin, location, file(), 19, 20);
        await expect.poll(async () => (await uploadRow(location))?.state).toBe('reading');
        // Another upload starts later and times out, so the first one would have timed out as well.
        const other = await begin(admin);
        await send(admin, other, file(), 0, 4);
        await expect.poll(() => attemptsOf(admin.app, other)).toContain(standsStill);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      expect((await admin.settled(location)).state).toBe('active');
      await waitUntilRead(location, false);
      expect(attemptsOf(admin.app, location)).toEqual(['began while it arrives', 'active']);
    },
  );
});

test('a server that stops logs the attempts it aborted', async () => {
  const one = await start();
  const location = await begin(one);
  await send(one, location, file(), 0, 4);
  await waitUntilRead(location);
  await stop(one.app);
  expect(attemptsOf(one.app, location)).toEqual(['began while it arrives', 'interrupted: The server stops']);
});

test('an upload that was attempted in vain is not attempted again before its last byte, and is forgotten then', async () => {
  const admin = await start({ works: false });
  const location = await begin(admin);
  await send(admin, location, file(), 0, 4);
  let attempts = 0;
  let moved: (id: string) => void = () => undefined;
  const session = {
    listen: (news: { moved(id: string): void }) => {
      moved = news.moved;
    },
    async tryLock() {
      attempts++;
      throw new Error('It is away');
    },
  };
  const log = createLog('ERROR', { write: () => undefined });
  const behind = readDuringUpload({ activation: { db: database.db }, session, log } as unknown as IngestDeps);
  const tell = async (state: 'receiving' | 'received') => {
    await database.db.updateTable('uploads').set({ state }).where('id', '=', idOf(location)).execute();
    moved(idOf(location));
    await new Promise((resolve) => setTimeout(resolve, 200));
  };
  for (const state of ['receiving', 'receiving'] as const) await tell(state);
  expect(attempts).toBe(1);
  // No upload begins again: this one shows only what is still known of it.
  for (const state of ['received', 'receiving'] as const) await tell(state);
  expect(attempts).toBe(2);
  await behind.stop();
});

// Shows P10.11.
test('a file that will not fit is rejected while it arrives', async () => {
  const admin = await start({ memoryBytes: 65 * mib });
  const location = await begin(admin);
  const many = file(beginning.length, `"more":[${'{},'.repeat(mib)}`);
  many.set(new TextEncoder().encode(`{"keywords":[${'"a",'.repeat(mib)}`));
  await send(admin, location, many, 0, 8);
  expect((await admin.settled(location)).refusal).toMatchObject({ code: 'upload/too-big-to-fit' });
});
