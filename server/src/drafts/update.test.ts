import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Draft, DraftMarks, EditedDraft, ReviewPage, ReviewTab } from '@kc/rules/draft-shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { tusClient } from '../../test/support/tus.ts';
import { prepareJobs } from '../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let cookie: string;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await insertAccount(database.db, 'admin', { role: 'admin' });
  await insertAccount(database.db, 'owner');
  directory = await mkdtemp(join(tmpdir(), 'kc-update-'));
  app = await startTestApp(database, directory, {});
  cookie = await cookieOf(database, 'admin');
});
afterAll(async () => {
  await app.stop();
  await database.close();
  await rm(directory, { recursive: true });
});

async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
  const answer = await fetch(`${app.url}/api${path}`, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Body;
}

async function until<Value>(look: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await look();
    if (isDone(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function imported(text: string, more: object = {}): Promise<Draft> {
  const bytes = new TextEncoder().encode(text);
  const draft = await call<Draft>('POST', '/drafts', {
    userId: 'owner',
    name: 'shop',
    description: '',
    files: [{ name: 'list.csv', size: bytes.length, corrections: {} }],
    settings: { preset: 'balanced', grouping: 'columns', language: 'en' },
    ...more,
  });
  const sent = await tusClient(app.url, cookie).patch(`/api/uploads/${draft.files[0]!.id}`, 0, bytes);
  expect(sent.status).toBe(204);
  return until(
    () => call<Draft>('GET', `/drafts/${draft.id}`),
    ({ state }) => state === 'ready' || state === 'failed',
  );
}

const april = 'Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,1\nblue hose,Garden,Hoses,2\ncat food,Pets,Food,3\n';
const may = 'Keyword,Volume\nred hose,10\nhoses red,20\ncat food,30\nchess board,40\n';
let updated: Draft;

beforeAll(async () => {
  const first = await imported(april);
  await call('PUT', `/drafts/${first.id}/lease`, { takeOver: false });
  await call('POST', `/drafts/${first.id}/publish`, { after: 0, name: 'shop', description: '' });
  const published = await until(
    () => call<Draft>('GET', `/drafts/${first.id}`),
    ({ state }) => state === 'published',
  );
  updated = await imported(may, { updateOf: published.visualizationId });
});

const review = (tab: ReviewTab, after = '') => call<ReviewPage>('GET', `/drafts/${updated.id}/review/${tab}${after}`);
const countsLeft = async () => (await call<DraftMarks>('GET', `/drafts/${updated.id}/marks`)).review;

async function placeOf(viewId: string, keyword: string): Promise<string[]> {
  const found = await call<{ hits: { name: string; path: { name: string }[] }[] }>(
    'GET',
    `/visualizations/${viewId}/search?q=${encodeURIComponent(keyword)}`,
  );
  return found.hits.find(({ name }) => name === keyword)?.path.map(({ name }) => name) ?? [];
}

test("next month's list keeps the clusters of the map that it updates, and says what changed", async () => {
  expect(updated).toMatchObject({ state: 'ready', revision: { counts: { keywords: 4, excluded: 0 } } });
  expect(updated.warnings.map(sayRefusal)).toContain('2 keywords kept, 2 new, 1 gone. 0 new clusters.');
  const { viewId } = updated.revision!;
  expect(await placeOf(viewId, 'red hose')).toEqual(['shop', 'Garden', 'Hoses']);
  expect(await placeOf(viewId, 'hoses red')).toEqual(['shop', 'Garden', 'Hoses']);
  expect(await placeOf(viewId, 'blue hose')).toEqual([]);
});

// Shows P22.9.
test('a person looks through what an update did, accepts it, and keeps a keyword that is gone', async () => {
  expect(await countsLeft()).toEqual({ uncertain: 0, new: 2, clusters: 0, gone: 1 });
  const added = await review('new');
  expect(added).toMatchObject({
    total: 2,
    rows: [
      { name: 'chess board', path: ['Stray keywords'], volume: 40 },
      { name: 'hoses red', path: ['Garden', 'Hoses'], volume: 20 },
    ],
  });
  expect(await review('new', '?after=1')).toEqual({ total: 2, rows: [added.rows[1]] });
  expect(await review('gone')).toEqual({
    total: 1,
    rows: [{ name: 'blue hose', type: 'keyword', path: ['Garden', 'Hoses'], volume: 2 }],
  });
  expect(await call('GET', `/drafts/${updated.id}/review/other`)).toMatchObject({ code: 'INVALID' });

  await call('PUT', `/drafts/${updated.id}/lease`, { takeOver: false });
  const operate = (after: number, operation: object) =>
    call<EditedDraft>('POST', `/drafts/${updated.id}/operations`, { after, operation });
  const accepted = await operate(0, { kind: 'accept', tab: 'new', of: [added.rows[0]!.address] });
  expect(sayRefusal(accepted.effect)).toBe('Accepted 1.');
  expect((await review('new')).rows).toEqual([added.rows[1]]);
  const kept = await operate(1, { kind: 'keep', keywords: 'all' });
  expect(sayRefusal(kept.effect)).toBe("Kept 1 keyword with last month's figures.");
  expect(kept.draft.revision!.counts.keywords).toBe(5);
  expect(await placeOf(kept.draft.revision!.viewId, 'blue hose')).toEqual(['shop', 'Garden', 'Hoses']);
  expect(await countsLeft()).toEqual({ uncertain: 0, new: 1, clusters: 0, gone: 0 });

  await call('POST', `/drafts/${updated.id}/undo`, { after: 2 });
  expect(await countsLeft()).toEqual({ uncertain: 0, new: 1, clusters: 0, gone: 1 });
  expect((await review('gone')).total).toBe(1);
  expect(await operate(1, { kind: 'accept', tab: 'gone', of: ['red hose'] })).toMatchObject({
    data: { code: 'draft/unknown-node' },
  });
});
