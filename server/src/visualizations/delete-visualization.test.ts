import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenUpload, UnfinishedUpload, Visualization } from '@kc/rules/shapes';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { insertAccount, recordOf } from '../../test/support/rows.ts';
import { tusClient } from '../../test/support/tus.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { newKey } from '../storage/storage.ts';
import { flipActive, insertVisualization } from './queries.ts';

const hour = 3_600_000;
let database: TestDatabase;
let directory: string;
let app: TestApp;
/** Milliseconds by which the server's clock is ahead of the machine's. */
let ahead = 0;
beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-delete-one-'));
  for (const id of ['admin', 'other']) await insertAccount(database.db, id, { role: 'admin' });
  await insertAccount(database.db, 'ann');
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
const broken = new TextEncoder().encode('{"keywords":["a"],"hierarchy":{"name":}}');
const forAnn = { filename: 'shoes.json', filetype: 'application/json', userId: 'ann' };
/** The stored files, without unfinished packs, which are removed on their own schedule. */
const files = async (): Promise<string[]> =>
  (await readdir(join(directory, 'files'))).filter((name) => !name.startsWith('temp')).sort();
const clientOf = async (admin: string) => tusClient(app.url, await cookieOf(database, admin, Date.now() + ahead));

async function call<T>(method: string, path: string, as = 'admin'): Promise<{ status: number; body: T }> {
  const cookie = await cookieOf(database, as, Date.now() + ahead);
  const answer = await fetch(`${app.url}/api${path}`, { method, headers: { cookie } });
  return { status: answer.status, body: (await answer.json()) as T };
}

/** Uploads a valid file for Ann. @returns the visualization's ID */
async function uploaded(): Promise<string> {
  const client = await clientOf('admin');
  const status = await client.settled(await client.send(good, forAnn));
  return status.visualizationId!;
}

const deletions = () =>
  database.db.selectFrom('audit_log').selectAll().where('action', '=', 'delete-visualization').execute();

// Shows P9.9.
test('a deleted visualization is removed with its upload, and the log records who deleted it', async () => {
  const id = await uploaded();
  const made = await files();
  expect(await call('DELETE', `/visualizations/${id}`)).toEqual({ status: 200, body: { id } });
  expect((await call('GET', `/visualizations/${id}`)).status).toBe(404);
  expect((await call('GET', `/visualizations/${id}/original`)).status).toBe(404);
  expect(await database.db.selectFrom('uploads').select('id').execute()).toEqual([]);
  expect(await deletions()).toMatchObject([
    { actor: 'admin', target: 'ann', details: { file: 'shoes.json', visualization: id, active: true } },
  ]);
  // Files are kept for a day, so that a running backup still finds them.
  expect(await files()).toEqual(made);
});

test('after a day the original and the pack are removed', async () => {
  const before = await files();
  ahead = -25 * hour;
  const id = await uploaded();
  const made = (await files()).filter((name) => !before.includes(name));
  expect(made).toHaveLength(2);
  await call('DELETE', `/visualizations/${id}`);
  await expect.poll(files).not.toContain(made[0]);
  await expect.poll(files).not.toContain(made[1]);
});

test('deleting the active one makes no other active, and deleting it again finds nothing', async () => {
  const [active, other] = [recordOf('ann'), recordOf('ann')];
  for (const record of [active, other]) await insertVisualization(database.db, record);
  await flipActive(database.db, 'ann', active.id);
  const known = (await deletions()).length;
  await call('DELETE', `/visualizations/${active.id}`);
  const { body } = await call<Visualization[]>('GET', '/visualizations?userId=ann');
  expect(body.map(({ id, isActive }) => [id, isActive])).toEqual([[other.id, false]]);
  expect((await call('DELETE', `/visualizations/${active.id}`)).status).toBe(404);
  expect(await deletions()).toHaveLength(known + 1);
});

// Shows P23.7.
test('users delete what they imported, and nothing that they were given', async () => {
  await insertAccount(database.db, 'importer');
  const own = recordOf('importer', { uploaded_by: 'importer' });
  const given = recordOf('importer', { uploaded_by: 'admin' });
  const anns = recordOf('ann', { uploaded_by: 'importer' });
  for (const record of [own, given, anns]) await insertVisualization(database.db, record);
  const known = (await deletions()).length;
  const codeOf = async (id: string) =>
    (await call<{ data?: { code: string } }>('DELETE', `/visualizations/${id}`, 'importer')).body.data?.code;
  expect(await codeOf(given.id)).toBe('admin/only');
  expect(await codeOf(anns.id)).toBe('visualization/not-found');
  expect(await deletions()).toHaveLength(known);
  expect((await call('DELETE', `/visualizations/${own.id}`, 'importer')).status).toBe(200);
  expect(await deletions()).toHaveLength(known + 1);
  const left = database.db.selectFrom('visualizations').select('id').where('user_id', '=', 'importer');
  expect(await left.execute()).toEqual([{ id: given.id }]);
});

test('the lists that a visualization was made from go with it', async () => {
  const record = recordOf('ann');
  await insertVisualization(database.db, record);
  const list = { visualization_id: record.id, place: 0, name: 'list.csv', size: 3, file_key: newKey('file') };
  await database.db.insertInto('visualization_lists').values(list).execute();
  await call('DELETE', `/visualizations/${record.id}`);
  expect(await database.db.selectFrom('visualization_lists').selectAll().execute()).toEqual([]);
  const noted = database.db.selectFrom('deleted_files').select('key').where('key', '=', list.file_key);
  expect(await noted.execute()).toEqual([{ key: list.file_key }]);
});

test('nobody can delete the sample', async () => {
  await insertAccount(database.db, 'sample-owner', { isSample: true });
  const sample = recordOf('sample-owner', { is_sample: true, upload_id: null });
  await insertVisualization(database.db, sample);
  expect((await call('DELETE', `/visualizations/${sample.id}`)).status).toBe(404);
  expect((await call('GET', `/visualizations/${sample.id}`)).status).toBe(200);
});

test('an admin sees the running and failed uploads for a user, and who sends them', async () => {
  const sender = await clientOf('admin');
  const begun = await sender.create(100, { ...forAnn, description: 'Spring', modified: '1700000000123' });
  await sender.patch(begun.headers.get('location')!, 0, new Uint8Array(25));
  await sender.settled(await sender.send(broken, { ...forAnn, filename: 'broken.json' }));
  await sender.settled(await sender.send(good, forAnn));

  const { body: own } = await call<OpenUpload[]>('GET', '/users/ann/uploads');
  expect(own.map(({ fileName, state }) => [fileName, state])).toEqual([
    ['broken.json', 'failed'],
    ['shoes.json', 'receiving'],
  ]);
  expect(own[0]!.refusal).toMatchObject({ code: 'upload/invalid-json', params: { byte: 38 } });
  expect(own[1]).toMatchObject({
    share: 0.25,
    fileSize: 100,
    fileModified: 1_700_000_000_123,
    description: 'Spring',
    uploadedBy: 'admin',
    isYours: true,
  });
  const { body: others } = await call<OpenUpload[]>('GET', '/users/ann/uploads', 'other');
  expect(others.map((upload) => upload.isYours)).toEqual([false, false]);
  expect((await call('GET', '/users/nobody-at-all/uploads')).status).toBe(404);
});

test('an admin gets their own unfinished uploads for any user, and no others', async () => {
  await insertAccount(database.db, 'cleo');
  const sender = await clientOf('other');
  const unfinished = async (as: string) => (await call<UnfinishedUpload[]>('GET', '/unfinished-uploads', as)).body;
  const before = (await unfinished('admin')).map(({ id }) => id);
  const begun = await sender.create(100, { ...forAnn, userId: 'cleo' });
  await sender.patch(begun.headers.get('location')!, 0, new Uint8Array(40));
  await sender.settled(await sender.send(broken, { ...forAnn, filename: 'broken.json' }));
  await sender.settled(await sender.send(good, forAnn));

  expect(await unfinished('other')).toMatchObject([
    { fileName: forAnn.filename, share: 0.4, isYours: true, receiver: { id: 'cleo', email: 'cleo@example.com' } },
  ]);
  expect((await unfinished('admin')).map(({ id }) => id)).toEqual(before);
  const headers = { cookie: await cookieOf(database, 'other'), 'tus-resumable': '1.0.0' };
  const ended = await fetch(app.url + begun.headers.get('location')!, { method: 'DELETE', headers });
  expect(ended.status).toBe(204);
  expect(await unfinished('other')).toEqual([]);
});

test('an upload counts as being sent during a connection and shortly after, from any browser', async () => {
  await insertAccount(database.db, 'ben');
  const sender = await clientOf('admin');
  const begun = await sender.create(100, { ...forAnn, userId: 'ben' });
  const location = begun.headers.get('location')!;
  const isSending = async (as: string) =>
    (await call<OpenUpload[]>('GET', '/users/ben/uploads', as)).body.map((upload) => upload.isSending);
  expect(await isSending('admin')).toEqual([false]);
  const chunk = request(app.url + location, {
    method: 'PATCH',
    headers: {
      cookie: await cookieOf(database, 'admin'),
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
      'content-length': 50,
    },
  });
  chunk.write(new Uint8Array(25));
  ahead = hour / 60;
  for (const as of ['admin', 'other']) await expect.poll(() => isSending(as)).toEqual([true]);
  ahead = 0;
  const ended = new Promise((resolve) => chunk.once('response', resolve));
  chunk.end(new Uint8Array(25));
  await ended;
  expect(await isSending('other')).toEqual([true]);
  ahead = hour / 60;
  await expect.poll(() => isSending('other')).toEqual([false]);
});
