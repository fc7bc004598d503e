import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { killChildren } from '../../../test/support/child-processes.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { largeFile } from '../../../test/support/large-file.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { type TusClient, tusClient } from '../../../test/support/tus.ts';
import { readHere } from '../../../test/support/work-here.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import type { StartReading } from './run-ingest.ts';

// When a machine runs out of memory, the kernel ends the process that reads an upload, because that says so itself.

let database: TestDatabase;
let directory: string;
let app: TestApp;
let admin: TusClient;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await insertAccount(database.db, 'admin', { role: 'admin' });
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-killed-'));
  app = await startTestApp(database, directory, { startReading: startHeld });
  admin = tusClient(app.url, await cookieOf(database, 'admin'));
});
afterEach(async () => {
  await app.stop();
  await rm(directory, { recursive: true });
});
afterAll(() => database.close());

const metadata = { filename: 'shoes.json', userId: 'admin' };
const long = largeFile(24 * 2 ** 20);
const bytes = long.read(0, long.size);
const small = new TextEncoder().encode('{"keywords":[],"hierarchy":{"name":"shoes"}}');
/** How many processes get no leave to read, so that none is done before it is killed. */
let held = 0;
const startHeld: StartReading = (request, signal, onProgress) => {
  const reading = readHere(request, signal, onProgress);
  return request.fileBytes === bytes.length && held-- > 0 ? { ...reading, allow: () => undefined } : reading;
};
const killReaders = () => killChildren('ingest-worker');
const eventsOf = (event: string) => app.logged.filter((line) => line.includes(`"event":"${event}"`));

test('REL-28 an upload whose reading is killed each time fails; the server answers and reads the next one', async () => {
  held = Number.POSITIVE_INFINITY;
  let isOver = false;
  let kills = 0;
  const killing = (async () => {
    while (!isOver) {
      kills += await killReaders();
      await pause(5);
    }
  })();
  const location = await admin.send(bytes, metadata);
  const answers: number[] = [];
  const asking = (async () => {
    while (!isOver) {
      answers.push((await fetch(`${app.url}/healthz`)).status);
      await pause(50);
    }
  })();
  const settled = await admin.settled(location);
  isOver = true;
  await Promise.all([killing, asking]);
  expect(settled).toMatchObject({ state: 'failed', refusal: { code: 'upload/failed' } });
  expect(kills).toBeGreaterThanOrEqual(3);
  const ends = eventsOf('upload-reading-ended');
  expect(ends.filter((line) => line.includes('"how":"interrupted"')).length).toBeGreaterThanOrEqual(2);
  expect(ends.filter((line) => line.includes('"how":"refused"'))).toHaveLength(1);
  expect(answers.length).toBeGreaterThan(0);
  expect(new Set(answers)).toEqual(new Set([200]));
  await expect.poll(() => readdir(join(directory, 'files'))).toEqual([]);
  expect((await admin.settled(await admin.send(small, metadata))).state).toBe('active');
});

test('REL-28 an upload whose reading is killed once is read again, and nobody notices', async () => {
  held = 1;
  const sent = admin.send(bytes, metadata);
  await expect.poll(killReaders, { interval: 5 }).toBeGreaterThan(0);
  expect((await admin.settled(await sent)).state).toBe('active');
  // Written after the state, which may be read before.
  await expect.poll(() => eventsOf('upload-reading-ended').at(-1)).toContain('"how":"active"');
});
