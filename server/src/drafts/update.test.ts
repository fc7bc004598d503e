import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Draft } from '@kc/rules/draft-shapes';
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
}, 60_000);
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

test("next month's list keeps the clusters of the map that it updates, and says what changed", {
  timeout: 120_000,
}, async () => {
  const april =
    'Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,1\nblue hose,Garden,Hoses,2\ncat food,Pets,Food,3\n';
  const first = await imported(april);
  await call('PUT', `/drafts/${first.id}/lease`, { takeOver: false });
  await call('POST', `/drafts/${first.id}/publish`, { after: 0, name: 'shop', description: '' });
  const published = await until(
    () => call<Draft>('GET', `/drafts/${first.id}`),
    ({ state }) => state === 'published',
  );
  const may = 'Keyword,Volume\nred hose,10\nhoses red,20\ncat food,30\nchess board,40\n';
  const updated = await imported(may, { updateOf: published.visualizationId });
  expect(updated).toMatchObject({ state: 'ready', revision: { counts: { keywords: 4 } } });
  expect(updated.warnings.map(sayRefusal)).toContain('2 keywords kept, 2 new, 1 gone. 0 new clusters.');
  const found = await call<{ hits: { name: string; path: { name: string }[] }[] }>(
    'GET',
    `/visualizations/${updated.revision!.viewId}/search?q=hose`,
  );
  const placeOf = (name: string) => found.hits.find((hit) => hit.name === name)!.path.map((node) => node.name);
  expect(placeOf('red hose')).toEqual(['shop', 'Garden', 'Hoses']);
  expect(placeOf('hoses red')).toEqual(['shop', 'Garden', 'Hoses']);
});
