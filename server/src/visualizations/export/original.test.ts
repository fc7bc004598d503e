import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayRefusal } from '@kc/rules/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let cookie: string;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-original-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  app = await startTestApp(database, directory);
  cookie = await cookieOf(database, 'admin');
});
afterAll(async () => {
  await app.stop();
  await database.close();
  await rm(directory, { recursive: true });
});

const text = '{"keywords":["a"],"hierarchy":{"name":"r","children":["a"]}}';

async function upload(filename: string): Promise<string> {
  const client = tusClient(app.url, cookie);
  const metadata = { filename, filetype: 'application/json', userId: 'admin' };
  const status = await client.settled(await client.send(new TextEncoder().encode(text), metadata));
  expect(status.state).toBe('active');
  return status.visualizationId!;
}
const get = (path: string) => fetch(`${app.url}/api/visualizations/${path}`, { headers: { cookie } });

/** Word for word in the tests of `securityHeaders`. */
const securityHeadersOfFiles = {
  'content-security-policy': expect.stringMatching(/^default-src 'none'; .*; sandbox$/),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

describe('the original is downloaded', () => {
  test.each([
    ['shoes.json', 'shoes.json'],
    ['SHOES.JSON', 'SHOES.json'],
    ['x.json.html', 'x.json.html.json'],
    ['page.html', 'page.html.json'],
    ['run.exe', 'run.exe.json'],
    ['data', 'data.json'],
    ['x.html:.json', 'x.html.json'],
    ['x.json.', 'x.json.json'],
  ])('%j as %j, byte for byte', async (filename, downloaded) => {
    const answer = await get(`${await upload(filename)}/original`);
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="${downloaded}"; filename*=UTF-8''${downloaded}`,
    );
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...securityHeadersOfFiles,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(await answer.text()).toBe(text);
  });
});

describe('a record whose stored file is missing', () => {
  const missing = { code: 'visualization/file-missing' };
  const lose = async (column: 'file_key' | 'pack_key'): Promise<string> => {
    const id = await upload('shoes.json');
    const row = await database.db
      .selectFrom('visualizations')
      .select(column)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await app.storage.remove(row[column as keyof typeof row]);
    return id;
  };
  const expectMissing = async (answer: Response): Promise<void> => {
    expect(answer.status).toBe(500);
    expect(((await answer.json()) as { data: unknown }).data).toEqual(missing);
  };

  test.each(['original', 'export.json'])('responds to %s with a code if the original is missing', async (path) => {
    await expectMissing(await get(`${await lose('file_key')}/${path}`));
  });

  test.each(['slice', 'export.csv', 'search?q=a'])(
    'responds to %s with a code if the pack is missing',
    async (path) => {
      await expectMissing(await get(`${await lose('pack_key')}/${path}`));
    },
  );

  test('is reported in plain words, and logged', async () => {
    expect(sayRefusal(missing)).toBe(
      'The stored file of this visualization is missing on the server. Ask an administrator to upload it again.',
    );
    const before = app.faults.length;
    await get(`${await lose('pack_key')}/slice`);
    expect(app.faults.slice(before).join('')).toContain('"event":"file-missing"');
  });
});
