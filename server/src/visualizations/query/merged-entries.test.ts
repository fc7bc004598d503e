import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UnplacedDetail, UnplacedPage } from '@kc/rules/keyword-shapes';
import type { NodeDetail, SearchAnswer, UploadStatus, Visualization } from '@kc/rules/shapes';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let ann: string;
let admin: string;
let id: string;
let status: UploadStatus;

const entry = (keyword: string, more: object) => ({ keyword, ...more });
/** A keyword with two URLs on two days, and keywords outside the hierarchy, one of them with two entries. */
const file = {
  keywords: [
    entry('trail', {
      url: 'https://shop.example/a',
      date: '2026-04-02',
      clicks: 4,
      impressions: 10,
      position: 2,
      volume: 90,
    }),
    entry('road', { clicks: 1, impressions: 20, position: 6, ctr: 0.05 }),
    entry('Trail ', {
      url: 'https://shop.example/b',
      date: '2026-04-01',
      clicks: 1,
      impressions: 30,
      position: 6,
      volume: 70,
    }),
    entry('Lost Cause', { volume: 7, url: 'https://shop.example/c' }),
    entry('lone Wölf', { volume: 50 }),
    entry('=cmd', {}),
    entry('lost  cause', { volume: 8, position: 3, url: 'https://shop.example/d' }),
  ],
  hierarchy: { name: 'shoes', children: [{ name: 'trail' }, { name: 'road' }] },
};

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-merged-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  await insertAccount(database.db, 'ann');
  app = await startTestApp(database, directory);
  [ann, admin] = [await cookieOf(database, 'ann'), await cookieOf(database, 'admin')];
  status = await upload(file);
  id = status.visualizationId!;
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

function upload(what: object): Promise<UploadStatus> {
  const client = tusClient(app.url, admin);
  const bytes = new TextEncoder().encode(JSON.stringify(what));
  return client.send(bytes, { filename: 'shoes.json', userId: 'ann' }).then((sent) => client.settled(sent));
}

const get = (path: string, cookie = ann) => fetch(`${app.url}/api/visualizations${path}`, { headers: { cookie } });
const json = async <T>(path: string): Promise<T> => (await (await get(path)).json()) as T;

test('the upload and its visualization have the number of merged entries', async () => {
  expect(status).toMatchObject({ state: 'active', merged: 2 });
  const [shown] = await json<Visualization[]>('');
  expect(shown).toMatchObject({ keywords: 7, merged: 2 });
});

test('a keyword has the clicks of all its entries, the newest volume, and every URL with its position', async () => {
  const trail = await json<NodeDetail>(`/${id}/nodes/1`);
  expect(trail).toMatchObject({ name: 'trail', volume: { value: 90 }, position: { value: 5 } });
  expect(trail.merged).toEqual({
    entries: 2,
    read: 2,
    urls: [
      { url: 'https://shop.example/a', position: 2, entries: 1 },
      { url: 'https://shop.example/b', position: 6, entries: 1 },
    ],
  });
  expect((await json<NodeDetail>(`/${id}/nodes/2`)).merged).toBeUndefined();
});

test('a branch weights positions by impressions, and has the number of keywords with them', async () => {
  const root = await json<NodeDetail>(`/${id}/nodes/0`);
  // 40 impressions at position 5, 20 at 6.
  expect(root.position).toEqual({ value: expect.closeTo((40 * 5 + 20 * 6) / 60, 5), known: 2, byImpressions: 2 });
  expect(root.byImpressions).toEqual([{ name: 'ctr', known: 2 }]);
  expect(root.notInHierarchy).toEqual({ keywords: 3, volume: { value: 58, known: 2 } });
});

test('keywords outside the hierarchy are listed page by page, and do not count in any node', async () => {
  const all = { keywords: 3, volume: { value: 58, known: 2 } };
  const first = await json<UnplacedPage>(`/${id}/not-in-hierarchy?limit=2`);
  expect(first).toMatchObject({
    all,
    total: 3,
    keywords: [
      { name: 'lone Wölf', volume: 50 },
      { name: 'Lost Cause', volume: 8 },
    ],
  });
  expect(await json<UnplacedPage>(`/${id}/not-in-hierarchy?limit=2&skip=2`)).toMatchObject({
    keywords: [{ name: '=cmd' }],
  });
  expect(await json<UnplacedPage>(`/${id}/not-in-hierarchy?q=WOLF`)).toMatchObject({
    all,
    total: 1,
    keywords: [{ name: 'lone Wölf' }],
  });
  expect(await json<UnplacedPage>(`/${id}/not-in-hierarchy?q=nobody`)).toMatchObject({ all, total: 0, keywords: [] });
  // The same result again after a request for another text.
  expect(await json<UnplacedPage>(`/${id}/not-in-hierarchy?limit=2`)).toEqual(first);
  const lost = await json<UnplacedDetail>(`/${id}/not-in-hierarchy/${first.keywords[1]!.row}`);
  expect(lost).toMatchObject({
    name: 'Lost Cause',
    original: { volume: 7 },
    merged: { entries: 2, urls: [{ url: 'https://shop.example/d', position: 3 }, { url: 'https://shop.example/c' }] },
  });
  expect((await get(`/${id}/not-in-hierarchy/1`)).status).toBe(404);
  expect((await json<NodeDetail>(`/${id}/nodes/0`)).keywords).toBe(2);
});

test('the search returns the number of hits outside the hierarchy, regardless of the filter', async () => {
  const found = await json<SearchAnswer>(`/${id}/search?q=lo`);
  expect([found.total, found.notInHierarchy]).toEqual([0, 2]);
  const filtered = await json<SearchAnswer>(`/${id}/search?q=cause&filter=has-trail`);
  expect([filtered.total, filtered.notInHierarchy]).toEqual([0, 1]);
  expect((await json<SearchAnswer>(`/${id}/search?q=trail`)).notInHierarchy).toBe(0);
});

test('keywords outside the hierarchy are exported as a table and in the form of an upload', async () => {
  const table = await get(`/${id}/not-in-hierarchy.csv`);
  expect(table.headers.get('content-disposition')).toMatch(/Not in the hierarchy _ keywords _ \d{4}-\d\d-\d\d\.csv"/);
  const lines: Record<string, string>[] = parse(Buffer.from(await table.arrayBuffer()), { bom: true, columns: true });
  expect(lines.map((line) => [line.Kind, line.Name, line.Volume, line.Position, line.Depth])).toEqual([
    ['Keyword', 'lone Wölf', '50', '', ''],
    ['Keyword', 'Lost Cause', '8', '3', ''],
    ['Keyword', "'=cmd", '', '', ''],
  ]);
  const written = (await (await get(`/${id}/not-in-hierarchy.json`)).json()) as typeof file;
  expect(written).toEqual({ hierarchy: { name: 'Not in the hierarchy' }, keywords: file.keywords.slice(3) });
  expect(await upload(written)).toMatchObject({ state: 'active', merged: 1 });
});

test('the full export equals the file: every entry, including those of keywords that no node names', async () => {
  const whole = (await (await get(`/${id}/export.json`)).json()) as typeof file;
  expect(whole).toEqual({ hierarchy: file.hierarchy, keywords: file.keywords });
  const branch = (await (await get(`/${id}/export.json?node=1`)).json()) as typeof file;
  expect(branch.keywords).toEqual([file.keywords[0], file.keywords[2]]);
  const kept = (await (await get(`/${id}/export.json?filter=has-trail`)).json()) as typeof file;
  expect(kept.keywords).toEqual([file.keywords[0], file.keywords[2]]);
});
