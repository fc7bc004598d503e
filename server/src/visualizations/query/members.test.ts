import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../database/testing.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import { cookieOf, startTestApp, type TestApp } from '../../testing-app.ts';
import { insertAccount } from '../testing-rows.ts';
import { tusClient } from '../upload/testing-tus.ts';

const keywords = [
  { keyword: 'trail shoes', serp_features: ['Video', 'Ads'] },
  { keyword: 'road shoes', serp_features: ['Ads'] },
];
const hierarchy = {
  name: 'shop',
  children: [{ name: 'shoes', children: [{ name: 'trail shoes' }, { name: 'road shoes' }] }, { name: 'sandals' }],
};

let database: TestDatabase;
let directory: string;
let app: TestApp;
let ann: string;
let id: string;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-members-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  await insertAccount(database.db, 'ann');
  app = await startTestApp(database, directory);
  ann = await cookieOf(database, 'ann');
  const file = new TextEncoder().encode(JSON.stringify({ keywords, hierarchy }));
  const client = tusClient(app.url, await cookieOf(database, 'admin'));
  const status = await client.settled(await client.send(file, { filename: 'shop.json', userId: 'ann' }));
  id = status.visualizationId!;
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

const get = (path: string): Promise<Response> =>
  fetch(`${app.url}/api/visualizations/${id}/nodes/${path}`, { headers: { cookie: ann } });
const of = async (path: string): Promise<unknown> => (await get(path)).json();
const features = (known: number, ...counts: readonly [string, number][]) => [
  { name: 'serp_features', values: counts.map(([value, count]) => ({ value, count })), known },
];

test('of a branch it is said how many keywords have each member of a set, and of how many that is known', async () => {
  expect(await of('0/members')).toEqual(features(2, ['Ads', 2], ['Video', 1]));
  // Its own part of the filter holds too: what is shown beside it is of what is kept.
  expect(await of('0/members?filter=is-serp_features-Video')).toEqual(features(1, ['Video', 1], ['Ads', 1]));
  expect(await of('0/members?filter=has-sandals')).toEqual(features(0));
});

test('a node that is not there has no members, and a filter that cannot be read is refused', async () => {
  expect((await get('999/members')).status).toBe(404);
  const answer = await get('0/members?filter=volume-2_1');
  expect([answer.status, await answer.json()]).toEqual([
    422,
    expect.objectContaining({ data: { code: 'visualization/filter-invalid' } }),
  ]);
});
