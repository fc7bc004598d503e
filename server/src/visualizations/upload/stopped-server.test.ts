import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp } from '../../../test/support/app.ts';
import { databaseUrl, type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { createMemoryStorage } from '../../../test/support/memory-storage.ts';
import { type ServerProcess, serverProcesses } from '../../../test/support/process.ts';
import { insertAccount, uploadOf } from '../../../test/support/rows.ts';
import { openPatch, tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import type { IngestOutcome } from '../ingest/ingest-messages.ts';
import { type StartReading, startReading } from '../ingest/run-ingest.ts';
import { UploadBody } from './upload-body.ts';
import {
  beginAppending,
  beginAttempt,
  findUpload,
  forgetAttempt,
  insertUpload,
  recordReceived,
  recordStep,
} from './upload-queries.ts';
import { appendBytes } from './upload-store.ts';

const mebibyte = 2 ** 20;
const processes = serverProcesses();
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await insertAccount(database.db, 'admin', { role: 'admin' });
});
afterAll(async () => {
  await processes.dispose();
  await database.close();
});

test('a request that another one replaced records no bytes any more', async () => {
  const { db } = database;
  const upload = uploadOf('admin', 100);
  await insertUpload(db, upload, new Date());
  const first = (await beginAppending(db, upload.id, 0))!;
  const second = (await beginAppending(db, upload.id, 0))!;
  const record = (fence: number, from: number, to: number) =>
    recordReceived(db, upload.id, { from, to, fence }, new Date());
  expect(await record(first, 0, 60)).toBeUndefined();
  expect(await record(second, 0, 50)).toBe('receiving');
  expect(await record(first, 50, 100)).toBeUndefined();
  expect(await beginAppending(db, upload.id, 60)).toBeUndefined();
  expect((await findUpload(db, upload.id))!.received).toBe(50);
});

test('a request that was told to stop before it began to append stops', async () => {
  const { db } = database;
  const upload = uploadOf('admin', 100);
  await insertUpload(db, upload, new Date());
  const nothing = async () => undefined;
  const deps = {
    db,
    storage: createMemoryStorage(),
    queueIngest: nothing,
    listKept: nothing,
    listRemoved: nothing,
    now: Date.now,
    rateWindowMs: 3_600_000,
  };
  const sender = { refusalNow: nothing, demand: nothing, watch: () => () => undefined };
  // Nothing arrives any more: its sender is gone.
  const arriving = { body: new UploadBody(new PassThrough()), sender, wanted: AbortSignal.abort() };
  expect(await appendBytes(deps, (await findUpload(db, upload.id))!, arriving)).toBe(0);
});

test('an attempt to read that another one replaced records nothing, and takes nothing back', async () => {
  const { db } = database;
  const upload = { ...uploadOf('admin', 100), state: 'received' as const, received: 100 };
  await insertUpload(db, upload, new Date());
  const first = (await beginAttempt(db, upload.id, new Date()))!;
  const second = (await beginAttempt(db, upload.id, new Date()))!;
  expect(await recordStep(db, first, 'reading', 0.5, new Date())).toBe(false);
  await forgetAttempt(db, first);
  expect(await recordStep(db, second, 'saving', 0, new Date())).toBe(true);
  expect(await findUpload(db, upload.id)).toMatchObject({ state: 'saving', attempts: 2 });
});

test('what an attempt finds that another one replaced does not end the upload', async () => {
  const { db } = database;
  let starts = 0;
  const startReadingOnce: StartReading = (request, signal, onProgress) => {
    starts += 1;
    if (starts > 1) return startReading(request, signal, onProgress);
    const outcome = async (): Promise<IngestOutcome> => {
      const file = db.selectFrom('uploads').select('id').where('file_key', '=', request.fileKey);
      await beginAttempt(db, (await file.executeTakeFirstOrThrow()).id, new Date());
      return { ok: false, refusal: { code: 'upload/failed' } };
    };
    return { allow: () => undefined, outcome: outcome() };
  };
  const app = await startTestApp(database, processes.newFolder(), { startReading: startReadingOnce });
  try {
    const admin = tusClient(app.url, await cookieOf(database, 'admin'));
    const bytes = new TextEncoder().encode('{"keywords":[],"hierarchy":{"name":"shoes"}}');
    const location = await admin.send(bytes, { filename: 'shoes.json', userId: 'admin' });
    expect(await admin.settled(location)).toMatchObject({ state: 'active' });
    expect(starts).toBe(2);
  } finally {
    await app.stop();
  }
});

// Shows P19.10.
test('an upload goes on at another server while the one that received it is stopped, and that one spoils nothing', async () => {
  const dataDir = processes.newFolder();
  const start = () => processes.start(dataDir, { DATABASE_URL: databaseUrl(database), SECRET: 's'.repeat(32) });
  const [stopped, running]: [ServerProcess, ServerProcess] = [await start(), await start()];
  const cookie = await cookieOf(database, 'admin');
  const [atStopped, atRunning] = [tusClient(stopped.url, cookie), tusClient(running.url, cookie)];
  const note = randomBytes(6 * mebibyte).toString('hex');
  const file = new TextEncoder().encode(JSON.stringify({ note, keywords: [], hierarchy: { name: 'shoes' } }));
  const created = await atStopped.create(file.length, { filename: 'shoes.json', userId: 'admin' });
  const location = created.headers.get('location')!;
  const id = location.split('/').at(-1)!;
  const sending = openPatch(new URL(location, stopped.url).href, cookie, file.length).send(file.slice(0, 9 * mebibyte));
  const received = async () => (await findUpload(database.db, id))!.received;
  // Of the rest, what is written behind may be recorded with the next bytes only.
  await expect.poll(received).toBeGreaterThanOrEqual(4 * mebibyte);

  stopped.child.kill('SIGSTOP');
  const head = await atRunning.head(location);
  const offset = Number(head.headers.get('upload-offset'));
  expect([head.status, offset]).toEqual([200, await received()]);
  expect((await atRunning.patch(location, offset, file.slice(offset))).status).toBe(204);
  stopped.child.kill('SIGCONT');
  await sending.send(file.slice(9 * mebibyte)).isClosed;

  expect(await atRunning.settled(location)).toMatchObject({ state: 'active' });
  const { file_key } = await database.db
    .selectFrom('visualizations')
    .select('file_key')
    .where('upload_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(Buffer.from(file).equals(await readFile(join(dataDir, 'files', file_key)))).toBe(true);
});
