import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf } from '@kc/pack/plan/node-paths';
import { defaultThresholds } from '@kc/pack/vocabulary/warnings';
import { sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { sampleId } from '@kc/rules/upload';
import type { DismissedWarning, WarningMarks, WarningPage, WarningSummary } from '@kc/rules/warning-shapes';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { tusClient } from '../../test/support/tus.ts';
import { prepareJobs } from '../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let shop: string;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-warnings-'));
  app = await startTestApp(database, directory);
});
beforeEach(async () => {
  await database.db.deleteFrom('accounts').execute();
  await insertAccount(database.db, 'admin', { role: 'admin' });
  for (const id of ['ann', 'bob']) await insertAccount(database.db, id);
  shop = await upload(file('Shoes', 'one', 'two'));
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

type Answer<T> = { readonly status: number; readonly body: T };
type Refused = { readonly data: { readonly code: string; readonly params?: Record<string, number> } };

async function call<T>(who: string, method: string, path: string, body?: object): Promise<Answer<T>> {
  const answer = await fetch(`${app.url}/api${path}`, {
    method,
    headers: { cookie: await cookieOf(database, who), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as T };
}

/** Two clusters with one keyword each, which is repeated in a third. One URL ranks for both. */
function file(root: string, ...single: string[]): object {
  const leaf = (name: string) => ({ name, type: 'keyword' });
  return {
    keywords: single.map((keyword, at) => ({
      keyword,
      volume: 10 * (at + 1),
      position: 3,
      url: 'https://www.a.test/x/',
    })),
    hierarchy: {
      name: root,
      type: 'root',
      children: [
        ...single.map((name) => ({ name: `about ${name}`, type: 'cluster', children: [leaf(name)] })),
        { name: 'all', type: 'cluster', children: single.map(leaf) },
      ],
    },
  };
}

async function upload(content: object, userId = 'ann'): Promise<string> {
  const client = tusClient(app.url, await cookieOf(database, 'admin'));
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  return (await client.settled(await client.send(bytes, { filename: 'shop.json', userId }))).visualizationId!;
}

const summary = async (who: string, of: string, filter = '') =>
  (await call<WarningSummary>(who, 'GET', `/visualizations/${of}/warnings?filter=${filter}`)).body;
const counts = async (who: string, of: string, filter = ''): Promise<Record<string, number>> =>
  Object.fromEntries((await summary(who, of, filter)).kinds.map(({ kind, count }) => [kind, count]));
const page = async (who: string, of: string, kind: string) =>
  (await call<WarningPage>(who, 'GET', `/visualizations/${of}/warnings/${kind}`)).body;
const dismissed = async (who: string, of: string) =>
  (await call<DismissedWarning[]>(who, 'GET', `/visualizations/${of}/dismissed`)).body;
const dismiss = (who: string, of: string, body: object) =>
  call<{ dismissed: string } & Refused>(who, 'PUT', `/visualizations/${of}/dismissed`, body);
const nodeAt = (root: string, name: string) => addressOf(root, [[name, 0]]);

test('the owner and administrators read counts, pages and marks; others find nothing', async () => {
  for (const who of ['ann', 'admin']) {
    const { kinds, thresholds } = await summary(who, shop);
    expect(thresholds).toEqual(defaultThresholds);
    expect(Object.fromEntries(kinds.map(({ kind, count, missing }) => [kind, missing ?? count]))).toEqual({
      mixed: 'no-intent',
      'url-clusters': 0,
      'cluster-urls': 0,
      'results-apart': 'no-results',
      'results-alike': 'no-results',
      oversized: 0,
      single: 2,
      repeated: 2,
      unplaced: 0,
      unknown: 0,
    });
    expect(kinds.slice(-3).map(({ kind }) => kind)).toEqual(['mixed', 'results-apart', 'results-alike']);
    const { total, lines } = await page(who, shop, 'repeated');
    expect(total).toBe(2);
    expect(lines.map(({ subject, volume, places }) => [subject, volume, places!.map(({ path }) => path)])).toEqual([
      [
        'two',
        20,
        [
          ['about two', 'two'],
          ['all', 'two'],
        ],
      ],
      [
        'one',
        10,
        [
          ['about one', 'one'],
          ['all', 'one'],
        ],
      ],
    ]);
    const marks = (await call<WarningMarks>(who, 'GET', `/visualizations/${shop}/warning-marks`)).body;
    expect(marks.own.reduce((sum, own) => sum + own, 0)).toBe(6);
  }
  for (const path of ['warnings', 'warnings/single', 'nodes/0/warnings', 'warning-marks', 'dismissed']) {
    const { status, body } = await call<Refused>('bob', 'GET', `/visualizations/${shop}/${path}`);
    expect([status, body.data.code]).toEqual([404, 'visualization/not-found']);
  }
  expect((await dismiss('bob', shop, { kind: 'single', node: nodeAt('Shoes', 'all') })).status).toBe(404);
});

// Shows P15.27.
test('a dismissed warning stays dismissed in the next upload of the same data, until it is restored', async () => {
  const wanted = { kind: 'single', node: nodeAt('Shoes', 'about one') };
  const first = await dismiss('admin', shop, wanted);
  expect(first.status).toBe(200);
  expect((await dismiss('ann', shop, wanted)).body).toEqual(first.body);
  const next = await upload(file('SHOES ', 'one', 'three'));
  const other = await upload(file('Boots', 'one', 'two'));
  expect([
    (await counts('ann', shop)).single,
    (await counts('ann', next)).single,
    (await counts('ann', other)).single,
  ]).toEqual([1, 1, 2]);
  expect(await dismissed('ann', next)).toMatchObject([{ kind: 'single', path: ['about one'], by: 'admin' }]);
  expect(await dismissed('ann', other)).toEqual([]);
  const back = await call('ann', 'DELETE', `/visualizations/${next}/dismissed`, first.body);
  expect(back.status).toBe(200);
  expect((await counts('ann', shop)).single).toBe(2);
  const again = await call<Refused>('ann', 'DELETE', `/visualizations/${next}/dismissed`, first.body);
  expect([again.status, again.body.data.code]).toEqual([404, 'warnings/not-found']);
});

test('what was dismissed under other data cannot be restored through these', async () => {
  const { body } = await dismiss('ann', shop, { kind: 'single', node: nodeAt('Shoes', 'about one') });
  const other = await upload(file('Boots', 'one'), 'bob');
  expect((await call('bob', 'DELETE', `/visualizations/${other}/dismissed`, body)).status).toBe(404);
  expect(await dismissed('ann', shop)).toHaveLength(1);
});

test('thresholds are kept for the data, and the usual ones are not stored', async () => {
  const set = (thresholds: object) => call('ann', 'PUT', `/visualizations/${shop}/warning-thresholds`, { thresholds });
  await set({ ...defaultThresholds, oversized: 1 });
  expect([(await counts('admin', shop)).oversized, (await summary('admin', shop)).thresholds.oversized]).toEqual([
    1, 1,
  ]);
  const next = await upload(file('shoes', 'one', 'two'));
  expect((await counts('ann', next)).oversized).toBe(1);
  expect((await set({ ...defaultThresholds, oversized: 0 })).status).toBe(422);
  await set(defaultThresholds);
  expect(await database.db.selectFrom('warning_thresholds').selectAll().execute()).toEqual([]);
  expect((await counts('ann', shop)).oversized).toBe(0);
});

test('warnings follow conditions on keywords, and ignore those on clusters', async () => {
  expect((await counts('ann', shop, 'has-one')).single).toBe(2);
  expect((await counts('ann', shop, 'has-one')).repeated).toBe(1);
  expect(await counts('ann', shop, 'cluster-volume-1000_')).toEqual(await counts('ann', shop));
});

test('everybody judges the sample alone', async () => {
  await insertAccount(database.db, 'nobody', { isSample: true });
  const sample = { id: sampleId, user_id: 'nobody', is_sample: true, is_active: false };
  await database.db.updateTable('visualizations').set(sample).where('id', '=', shop).execute();
  await dismiss('ann', sampleId, { kind: 'single', node: nodeAt('Shoes', 'about one') });
  expect([(await counts('ann', sampleId)).single, (await counts('bob', sampleId)).single]).toEqual([1, 2]);
  const own = await upload(file('Shoes', 'one', 'two'));
  expect((await counts('ann', own)).single).toBe(2);
});

test('no more than a number of warnings are dismissed, and every refusal has its text', async () => {
  const { body } = await dismiss('ann', shop, { kind: 'single', node: nodeAt('Shoes', 'about one') });
  await sql`
    insert into dismissed_warnings
      (id, owner_id, of_sample, root_hash, kind, paths, subject, subject_hash, dismissed_by, dismissed_at)
    select 'x' || n, owner_id, of_sample, root_hash, kind, paths, subject, encode(sha256(n::text::bytea), 'hex'),
      dismissed_by, dismissed_at
    from dismissed_warnings, generate_series(2, ${limits.maxDismissedWarnings}) n`.execute(database.db);
  const full = await dismiss('ann', shop, { kind: 'single', node: nodeAt('Shoes', 'about two') });
  expect([full.status, sayRefusal(full.body.data)]).toEqual([
    409,
    'No more than 5000 warnings can be dismissed. Restore some first.',
  ]);
  await call('ann', 'DELETE', `/visualizations/${shop}/dismissed`, body);
  const gone = await call<Refused>('ann', 'DELETE', `/visualizations/${shop}/dismissed`, body);
  expect(sayRefusal(gone.body.data)).toBe('This warning is not dismissed any more.');
  const thresholds = { ...defaultThresholds, position: 0 };
  const wrong = await call<Refused>('ann', 'PUT', `/visualizations/${shop}/warning-thresholds`, { thresholds });
  expect(sayRefusal(wrong.body.data)).toBe('These thresholds are not possible.');
});

test('judgements are deleted with the owner of the data', async () => {
  await dismiss('ann', shop, { kind: 'single', node: nodeAt('Shoes', 'about one') });
  await call('ann', 'PUT', `/visualizations/${shop}/warning-thresholds`, {
    thresholds: { ...defaultThresholds, oversized: 7 },
  });
  await database.db.deleteFrom('accounts').where('id', '=', 'ann').execute();
  for (const table of ['dismissed_warnings', 'warning_thresholds'] as const)
    expect(await database.db.selectFrom(table).selectAll().execute()).toEqual([]);
});
