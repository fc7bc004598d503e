import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount, recordOf } from '../../../test/support/rows.ts';
import { sweepWhen } from '../../../test/support/sweep.ts';
import { tusClient } from '../../../test/support/tus.ts';
import { issueStepUp, mintIdToken } from '../../accounts/step-up.ts';
import { hashToken } from '../../accounts/tokens.ts';
import { holdStoredFiles } from '../../database/backup-lock.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import { newKey } from '../../storage/storage.ts';
import { deleteFilesQueue } from './delete-files.ts';

const hour = 3_600_000;
let database: TestDatabase;
let directory: string;
let app: TestApp;
/** Milliseconds by which the server's clock is ahead of the machine's. */
let ahead = 0;
beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-delete-'));
  for (const id of ['admin', 'sender']) await insertAccount(database.db, id, { role: 'admin' });
  app = await startTestApp(database, directory, { now: () => Date.now() + ahead });
});
afterEach(() => {
  ahead = 0;
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

const good = new TextEncoder().encode('{"keywords":["a"],"hierarchy":{"name":"a"}}');
const fileFor = (userId: string) => ({ filename: 'a.json', filetype: 'application/json', userId });
const files = async (): Promise<string[]> => (await readdir(join(directory, 'files'))).sort();

async function deleted(userId: string): Promise<void> {
  const cookie = await cookieOf(database, 'admin', Date.now() + ahead);
  const { db } = database;
  const { id: sessionId } = await db
    .selectFrom('sessions')
    .select('id')
    .where('token_hash', '=', hashToken(cookie.slice(cookie.indexOf('=') + 1)))
    .executeTakeFirstOrThrow();
  const account = {
    id: 'admin',
    email: 'admin@example.com',
    displayName: '',
    role: 'admin',
    status: 'approved',
  } as const;
  const person = { account: { ...account, emailProven: false, createdAt: 0 }, sessionId, hasPhoto: false };
  const now = Date.now() + ahead;
  const minted = await mintIdToken(db, person, (await issueStepUp(db, person, now))!, now);
  if (!minted.ok) throw new Error('No token');
  const answer = await fetch(`${app.url}/api/forceDeleteUser`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ userId, idToken: minted.value }),
  });
  expect(await answer.json()).toEqual({ ok: true });
}

async function withVisualization(id: string, sender = 'admin'): Promise<readonly string[]> {
  const before = await files();
  await insertAccount(database.db, id);
  const client = tusClient(app.url, await cookieOf(database, sender));
  await client.settled(await client.send(good, fileFor(id)));
  return (await files()).filter((file) => !before.includes(file));
}

const jobsQueued = () =>
  database.db
    .withSchema('jobs')
    .selectFrom('job' as never)
    .selectAll()
    .where('name' as never, '=', 'delete-files' as never)
    .execute() as unknown as Promise<{ start_after: Date; state: string; data: { keys: string[] } }[]>;

test('S8 the files of a deleted user are kept for a day, by the job and by the sweep', async () => {
  const made = await withVisualization('ann');
  expect(made).toHaveLength(2);
  const asked = Date.now();
  await deleted('ann');
  const [job] = await jobsQueued();
  expect(job).toMatchObject({ state: 'created', data: { keys: expect.arrayContaining([...made]) } });
  expect(job!.start_after.getTime()).toBeGreaterThanOrEqual(asked + 24 * hour);

  const sweepAt = (time: number) => sweepWhen({ db: database.db, storage: app.storage, now: () => time });
  const noted = database.db.selectFrom('deleted_files').select('remove_after').where('key', '=', made[0]!);
  const { remove_after: end } = await noted.executeTakeFirstOrThrow();
  // The objects are older than the day that the sweep waits, as most objects are.
  await ageObjects(made, end.getTime() - 100 * hour);
  expect((await sweepAt(end.getTime() - 1)).objects).toEqual([]);
  expect([...(await sweepAt(end.getTime())).objects].sort()).toEqual([...made].sort());
  expect(await noted.execute()).toEqual([]);
});

async function ageObjects(keys: readonly string[], time: number): Promise<void> {
  for (const key of keys) await utimes(join(directory, 'files', key), time / 1000, time / 1000);
}

test('S8 after a day the job removes them', async () => {
  const made = await withVisualization('ben');
  ahead = -25 * hour;
  await deleted('ben');
  await expect.poll(files).not.toEqual(expect.arrayContaining([made[0]]));
  await expect.poll(files).not.toEqual(expect.arrayContaining([made[1]]));
});

const call = (method: string, path: string, cookie: string) =>
  fetch(`${app.url}/api${path}`, { method, headers: { cookie } }).then((answer) => answer.json());

// Shows P26.2.
test('REL-61 an administrator purges what deleted files take, a minute later', async () => {
  const made = await withVisualization('pat');
  const cookie = await cookieOf(database, 'admin');
  await call('POST', '/storage/purge', cookie);
  await deleted('pat');
  const bytes = (await Promise.all(made.map((key) => app.storage.stat(key)))).reduce((sum, one) => sum + one!.size, 0);
  const kept = { files: 2, bytes };
  expect(await call('GET', '/storage', cookie)).toEqual({ kept, free: expect.any(Number) });
  const asked = Date.now();
  expect(await call('POST', '/storage/purge', cookie)).toEqual(kept);
  // Requests that began before may still read them; the sweep and the job wait as long.
  const noted = await database.db
    .selectFrom('deleted_files')
    .select('remove_after')
    .where('key', 'in', [...made])
    .execute();
  for (const { remove_after: end } of noted) {
    expect(end.getTime()).toBeGreaterThanOrEqual(asked + 60_000);
    expect(end.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
  }
  const job = (await jobsQueued()).find(
    ({ start_after }) => start_after.getTime() <= Date.now() + 60_000 && start_after.getTime() >= asked,
  );
  expect(job).toMatchObject({ state: 'created', data: { keys: [...made].sort() } });
  expect(await call('GET', '/storage', cookie)).toMatchObject({ kept: { files: 0, bytes: 0 } });
  expect(await call('POST', '/storage/purge', cookie)).toEqual({ files: 0, bytes: 0 });
  const lines = await database.db
    .selectFrom('audit_log')
    .select(['actor', 'details'])
    .where('action', '=', 'purge')
    .execute();
  expect(lines.at(-1)).toEqual({ actor: 'admin', details: kept });
});

test('REL-61 a deleted file that something else refers to is not purged, and does not count', async () => {
  const cookie = await cookieOf(database, 'admin');
  await insertAccount(database.db, 'pam');
  const record = recordOf('pam');
  await database.db.insertInto('visualizations').values(record).execute();
  await (await app.storage.append(record.file_key, 0)).close();
  const remove_after = new Date(Date.now() + 24 * hour);
  await database.db.insertInto('deleted_files').values({ key: record.file_key, remove_after }).execute();
  expect(await call('POST', '/storage/purge', cookie)).toEqual({ files: 0, bytes: 0 });
  const found = database.db.selectFrom('deleted_files').select('remove_after').where('key', '=', record.file_key);
  expect(await found.executeTakeFirstOrThrow()).toEqual({ remove_after });
});

test('what an admin uploaded for others is kept when the admin is deleted', async () => {
  const made = await withVisualization('cat', 'sender');
  await deleted('sender');
  const noted = await database.db
    .selectFrom('deleted_files')
    .select('key')
    .where('key', 'in', [...made])
    .execute();
  expect(noted).toEqual([]);
  const left = await database.db.selectFrom('visualizations').select('id').where('user_id', '=', 'cat').execute();
  expect(left).toHaveLength(1);
});

test('a file that a visualization references is never removed', async () => {
  const record = recordOf('cat');
  await database.db.insertInto('visualizations').values(record).execute();
  const appender = await app.storage.append(record.file_key, 0);
  await appender.close();
  const log = { info: () => undefined } as never;
  const queue = deleteFilesQueue({ db: database.db, storage: app.storage, log, now: Date.now });
  await queue.run({ keys: [record.file_key] }, new AbortController().signal);
  expect(await files()).toContain(record.file_key);
});

test('no file is removed while a backup copies stored files', async () => {
  const key = newKey('pack');
  await (await app.storage.append(key, 0)).close();
  const backup = new pg.Client(database.owner);
  await backup.connect();
  await holdStoredFiles(backup);
  const log = { info: () => undefined } as never;
  const queue = deleteFilesQueue({ db: database.db, storage: app.storage, log, now: Date.now });
  let isOver = false;
  const removal = queue.run({ keys: [key] }, new AbortController().signal).then(() => {
    isOver = true;
  });
  // More round trips than the removal makes.
  for (let count = 0; count < 20; count++) await database.db.selectFrom('accounts').select('id').execute();
  expect([isOver, (await files()).includes(key)]).toEqual([false, true]);
  await backup.end();
  await removal;
  expect(await files()).not.toContain(key);
});

test('T34 a deletion aborts running uploads for the user', async () => {
  await insertAccount(database.db, 'dan');
  const cookie = await cookieOf(database, 'admin', Date.now() + ahead);
  const client = tusClient(app.url, cookie);
  const location = (await client.create(100, fileFor('dan'))).headers.get('location')!;
  const sending = request(new URL(location, app.url), {
    method: 'PATCH',
    headers: {
      cookie,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
      'content-length': '100',
    },
  });
  const ended = new Promise<number | undefined>((resolve) => {
    sending.on('response', (response) => resolve(response.resume().statusCode));
    sending.on('error', () => resolve(undefined));
  });
  const before = (await files()).length;
  sending.write('{');
  await expect.poll(async () => (await files()).length).toBe(before + 1);
  await deleted('dan');
  expect([undefined, 400, 404, 410]).toContain(await ended);
  sending.destroy();
  expect((await client.head(location)).status).toBe(404);
  expect(await database.db.selectFrom('uploads').select('id').where('user_id', '=', 'dan').execute()).toEqual([]);
});
