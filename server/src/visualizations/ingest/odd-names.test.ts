import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount, uploadOf } from '../../../test/support/rows.ts';
import { type TusClient, tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import { findUpload, insertUpload, recordFailure } from '../upload/upload-queries.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let client: TusClient;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-odd-names-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  app = await startTestApp(database, directory);
  client = tusClient(app.url, await cookieOf(database, 'admin'));
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

const upload = async (text: string) =>
  client.settled(await client.send(new TextEncoder().encode(text), { filename: 'a.json', userId: 'admin' }));
const rootName = async (id: string | undefined) =>
  (await database.db.selectFrom('visualizations').select('root_name').where('id', '=', id!).executeTakeFirst())
    ?.root_name;

test.each([
  ['a\0b', 'a\ufffdb'],
  ['\0', '\ufffd'],
  ['x\ud800y', 'x\ufffdy'],
  ['\udc00', '\ufffd'],
  ['😀', '😀'],
])('a root named %j is saved, and listed as %j', async (name, listed) => {
  const status = await upload(JSON.stringify({ keywords: [name], hierarchy: { name, children: [name] } }));
  expect(status.state).toBe('active');
  expect(await rootName(status.visualizationId)).toBe(listed);
});

test.each(['{"hierarchy":{"name":"a\\u0000b"}!', '{"hierarchy":{"name":"\\ud800"}!', '{"hierarchy":"\0"}', '\0'])(
  'a broken file with odd characters is rejected once, with a position: %j',
  async (text) => {
    expect(await upload(text)).toMatchObject({ state: 'failed', refusal: { code: 'upload/invalid-json' } });
  },
);

test('a refusal is saved whatever characters it quotes', async () => {
  const row = uploadOf('admin', 1);
  await insertUpload(database.db, row, new Date());
  const refusal = { code: 'upload/invalid-json', params: { excerpt: 'a\0\ud800b', byte: 3 } };
  await recordFailure(database.db, row.id, refusal, new Date());
  expect((await findUpload(database.db, row.id))?.refusal).toEqual({
    code: 'upload/invalid-json',
    params: { excerpt: 'a\ufffd\ufffdb', byte: 3 },
  });
});
