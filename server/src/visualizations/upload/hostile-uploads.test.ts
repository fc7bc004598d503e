import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { hostileFiles } from '@kc/pack/test/support/hostile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { type TusClient, tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let admin: TusClient;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await insertAccount(database.db, 'admin', { role: 'admin' });
  directory = await mkdtemp(join(tmpdir(), 'kc-hostile-'));
  app = await startTestApp(database, directory);
  admin = tusClient(app.url, await cookieOf(database, 'admin'));
});
afterAll(async () => {
  await app.stop();
  await database.close();
  await rm(directory, { recursive: true });
});

const metadata = { filename: 'shoes.json', filetype: 'application/json', userId: 'admin' };
const bytesOf = (name: string): Uint8Array<ArrayBuffer> => {
  const file = hostileFiles.find((candidate) => candidate.name === name);
  if (!file) throw new Error(`There is no hostile file "${name}"`);
  return Uint8Array.from(Buffer.concat([...file.bytes(2 ** 20)].map((block) => Buffer.from(block))));
};

// Tests of `pack` cover the error of each file. Here, the server must report the same one, keep nothing and stay up.
test.each([
  'arrays nested a million deep',
  'one keyword',
  'UTF-16, little-endian',
  'an invalid byte at the very end',
  'white space and a NUL after a valid file',
])('T42 %s: rejected with a message and a position, and nothing of it is left', async (name) => {
  const before = (await readdir(join(directory, 'files'))).sort();
  const status = await admin.settled(await admin.send(bytesOf(name), metadata));
  const what = hostileFiles.find((file) => file.name === name)!.what!;
  expect(status).toMatchObject({
    state: 'failed',
    refusal: { code: 'upload/invalid-json', params: { what: expect.stringContaining(what) } },
  });
  await expect.poll(async () => (await readdir(join(directory, 'files'))).sort()).toEqual(before);
});

test('T42 a valid file that was compressed and named .json is rejected as compressed', async () => {
  const bytes = Uint8Array.from(gzipSync('{"keywords":[],"hierarchy":{"name":"shoes"}}'));
  const status = await admin.settled(await admin.send(bytes, metadata));
  expect(status.refusal).toMatchObject({
    params: { what: 'gzip-compressed data instead of JSON (unpack it first)', byte: 0, line: 1 },
  });
});

test.each([
  ['a hierarchy of 10,000 levels', 10_000, 1],
  ['names of prototype members', 1, 1],
  ['short keys in a node', 1, 1],
])('T44 %s: an ordinary visualization', async (name, nodes, keywords) => {
  const { state, visualizationId } = await admin.settled(await admin.send(bytesOf(name), metadata));
  expect(state).toBe('active');
  const record = await database.db
    .selectFrom('visualizations')
    .select(['nodes', 'keywords'])
    .where('id', '=', visualizationId!)
    .executeTakeFirst();
  expect(record).toEqual({ nodes, keywords });
  expect((await admin.get(`/api/visualizations/${visualizationId}/slice`)).status).toBe(200);
});

test('SEC-21 no hostile name pollutes a prototype', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(app.faults).toEqual([]);
});
