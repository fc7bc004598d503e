import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scoreFieldName } from '@kc/pack/score/score-name';
import { readXlsx } from 'hucre';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let cookie: string;
let id: string;

/** Two clusters: Hoses 90 + 60, Rakes 300 + 20, of which one difficulty is unknown. */
const file = {
  keywords: [
    { keyword: 'garden hose', volume: 90, difficulty: 35, cpc: 0.5, intent: ['transactional'], stage: 'buy' },
    { keyword: 'hose reel', volume: 60, difficulty: 45, cpc: 1.5, intent: ['transactional'], stage: 'buy' },
    { keyword: 'rake', volume: 300, difficulty: 60, cpc: 2, intent: ['commercial'], stage: 'learn' },
    { keyword: '=leaf rake', volume: 20, difficulty: null, intent: ['informational'], stage: 'learn' },
  ],
  hierarchy: {
    name: 'Garden',
    type: 'root',
    children: [
      {
        name: 'Watering',
        type: 'pillar_topic',
        children: [{ name: 'Hoses', type: 'cluster', children: ['garden hose', 'hose reel'] }],
      },
      {
        name: 'Tools',
        type: 'pillar_topic',
        children: [{ name: 'Rakes', type: 'cluster', children: ['rake', '=leaf rake'] }],
      },
    ],
  },
};

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-table-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  app = await startTestApp(database, directory);
  cookie = await cookieOf(database, 'admin');
  const client = tusClient(app.url, cookie);
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const sent = await client.send(bytes, { filename: 'garden.json', userId: 'admin' });
  id = (await client.settled(sent)).visualizationId!;
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

const ask = (query: string, init: RequestInit = {}) =>
  fetch(`${app.url}/api/visualizations/${id}/export.xlsx?${query}`, {
    ...init,
    headers: { cookie, ...(init.body ? { 'content-type': 'application/octet-stream' } : {}) },
  });

async function tableOf(answer: Response): Promise<unknown[][]> {
  expect(answer.status).toBe(200);
  const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()));
  expect(sheets).toHaveLength(1);
  return sheets[0]!.rows.map((row) => row.map((cell) => cell ?? ''));
}

const columns = (...ids: readonly string[]) => ids.map((one) => `column=${encodeURIComponent(one)}`).join('&');

// Shows P16.8.
test('a level is a workbook with the chosen columns, in the order of the list', async () => {
  const asked = columns(
    'name',
    'pillar',
    'keywords',
    'volume',
    'share',
    'difficulty',
    'known:difficulty',
    'cpc',
    'intent',
  );
  const answer = await ask(`level=clusters&sort=-volume&${asked}`);
  expect(answer.headers.get('content-disposition')).toMatch(/garden.*clusters.*\.xlsx/);
  expect(await tableOf(answer)).toEqual([
    ['Name', 'Pillar', 'Keywords', 'Volume', 'Share of volume', 'Difficulty', 'Difficulty known', 'CPC', 'Intent'],
    // 320 of 470; 300 of 320 have a known difficulty.
    ['Rakes', 'Tools', 2, 320, 320 / 470, 60, 300 / 320, 2, 'Informational 50 %, Commercial 50 %'],
    ['Hoses', 'Watering', 2, 150, 150 / 470, 40, 1, 1, 'Transactional 100 %'],
  ]);
});

test('it has what the filter keeps, empty cells for what is unknown, and no formula', async () => {
  const answer = await ask(
    `level=keywords&sort=name&filter=has-rake&${columns('name', 'difficulty', 'field:stage', 'cluster')}`,
  );
  expect(await tableOf(answer)).toEqual([
    ['Name', 'Difficulty', 'stage', 'Cluster'],
    ['=leaf rake', '', 'learn', 'Rakes'],
    ['rake', 60, 'learn', 'Rakes'],
  ]);
});

test('within a branch, shares are of the branch', async () => {
  const nodes = await tableOf(await ask(`level=pillars&sort=name&${columns('name')}`));
  expect(nodes).toEqual([['Name'], ['Tools'], ['Watering']]);
  // The heavier pillar comes first in a pack.
  const answer = await ask(`level=keywords&node=1&sort=-volume&${columns('name', 'share')}`);
  expect(await tableOf(answer)).toEqual([
    ['Name', 'Share of volume'],
    ['rake', 300 / 320],
    ['=leaf rake', 20 / 320],
  ]);
});

test('a list in the order of a score is a workbook in that order', async () => {
  // Rakes: 300 · 60 and an unknown one; Hoses: 90 · 35 + 60 · 45.
  const sort = encodeURIComponent(`field:${scoreFieldName('sum.volume*difficulty')}`);
  expect(await tableOf(await ask(`level=clusters&sort=${sort}&${columns('name')}`))).toEqual([
    ['Name'],
    ['Hoses'],
    ['Rakes'],
  ]);
});

test('listed rows are a workbook in their order', async () => {
  const body = Uint32Array.of(2, 0);
  const answer = await ask(columns('name', 'depth', 'volume'), { method: 'POST', body });
  expect(await tableOf(answer)).toEqual([
    ['Name', 'Level', 'Volume'],
    ['Watering', 2, 150],
    ['Garden', 1, 470],
  ]);
});

test.each([
  ['no column', 'level=keywords'],
  ['an unknown column', `level=keywords&${columns('name', 'secret')}`],
  ['a field that the file lacks', `level=keywords&${columns('field:nothing')}`],
  ['a column twice', `level=keywords&${columns('name', 'name')}`],
  ['no level', columns('name')],
])('%s is refused', async (_, query) => {
  const answer = await ask(query);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ data: { code: 'visualization/query-invalid' } });
});
