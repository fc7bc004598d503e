import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf } from '../../../test/support/app.ts';
import { databaseUrl, type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { type ServerProcess, serverProcesses } from '../../../test/support/process.ts';
import { insertAccount, uploadOf } from '../../../test/support/rows.ts';
import { openPatch, tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import { beginAppending, findUpload, insertUpload, recordReceived } from './upload-queries.ts';

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
