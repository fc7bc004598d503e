// Shows T52, REL-44.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
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

async function upload(filename: string, content = text): Promise<string> {
  const client = tusClient(app.url, cookie);
  const metadata = { filename, filetype: 'application/json', userId: 'admin' };
  const status = await client.settled(await client.send(new TextEncoder().encode(content), metadata));
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
  // Shows P9.9, P10.15.
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

describe('an original that is no longer what was uploaded', () => {
  /** Changes one byte in the middle of a stored file. */
  async function change(key: string): Promise<void> {
    const stored = await app.storage.open(key);
    const bytes = await stored.read(0, stored.size);
    await stored.close();
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    const appender = await app.storage.append(key, 0);
    await appender.write(bytes);
    await appender.sync();
    await appender.close();
  }

  test.each([
    ['short', text],
    ['long', text.replace('"a"', `"a"${' '.repeat(2_000_000)}`)],
  ])('and is %s is never taken for complete, and logged', async (_, whole) => {
    const id = await upload('shoes.json', whole);
    const rows = database.db.selectFrom('visualizations').select(['file_key', 'file_checksum']).where('id', '=', id);
    const { file_key, file_checksum } = await rows.executeTakeFirstOrThrow();
    expect(file_checksum).toBe(crc32(whole));
    expect(await (await get(`${id}/original`)).text()).toBe(whole);
    await change(file_key);
    const before = app.faults.length;
    const outcome = await get(`${id}/original`).then(async (answer) =>
      answer.ok
        ? answer.text().then(
            () => 'complete',
            () => 'cut off',
          )
        : 'refused',
    );
    expect(outcome).toBe(whole === text ? 'refused' : 'cut off');
    expect(app.faults.slice(before).join('')).toContain('"event":"file-changed"');
  });

  test('makes no map', async () => {
    const client = tusClient(app.url, cookie);
    const whole = new TextEncoder().encode(text);
    const metadata = { filename: 'shoes.json', filetype: 'application/json', userId: 'admin' };
    const location = (await client.create(whole.length, metadata)).headers.get('location')!;
    await client.patch(location, 0, whole.slice(0, 20));
    const row = database.db
      .selectFrom('uploads')
      .select(['id', 'checksum'])
      .where('id', '=', location.split('/').at(-1)!);
    const { checksum } = await row.executeTakeFirstOrThrow();
    expect(checksum).toBe(crc32(whole.subarray(0, 20)));
    // As if another byte had been stored than arrived.
    await database.db
      .updateTable('uploads')
      .set({ checksum: (checksum! ^ 1) >>> 0 })
      .where('id', '=', location.split('/').at(-1)!)
      .execute();
    await client.patch(location, 20, whole.slice(20));
    const { state, refusal } = await client.settled(location);
    expect([state, refusal?.code]).toEqual(['failed', 'upload/unreadable']);
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
