import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Visualization } from '@kc/rules/shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { insertAccount, recordOf } from '../../test/support/rows.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { insertVisualization } from './queries.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
const record = recordOf('ann');

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-newest-month-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  for (const id of ['ann', 'bob']) await insertAccount(database.db, id);
  await insertVisualization(database.db, record);
  app = await startTestApp(database, directory);
});
afterAll(async () => {
  await app.stop();
  await database.close();
  await rm(directory, { recursive: true });
});

async function nameAs(who: string, month: unknown, id = record.id) {
  const answer = await fetch(`${app.url}/api/visualizations/${id}/newest-month`, {
    method: 'PUT',
    headers: { cookie: await cookieOf(database, who), 'content-type': 'application/json' },
    body: JSON.stringify({ month }),
  });
  return { status: answer.status, body: (await answer.json()) as Visualization };
}

const kept = async () =>
  (await database.db.selectFrom('visualizations').select('newest_month').where('id', '=', record.id).executeTakeFirst())
    ?.newest_month;

// Shows P15.29.
test('its owner and an admin can name the newest month and take it back, and the log records who did', async () => {
  expect(await nameAs('ann', '2026-04')).toMatchObject({ status: 200, body: { newestMonth: '2026-04' } });
  expect((await nameAs('admin', null)).body.newestMonth).toBeUndefined();
  expect(await kept()).toBeNull();
  const lines = await database.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'newest-month')
    .orderBy('id')
    .execute();
  expect(lines.map(({ actor, target, details }) => [actor, target, details])).toEqual([
    ['ann', 'ann', { file: record.file_name, visualization: record.id, month: '2026-04' }],
    ['admin', 'ann', { file: record.file_name, visualization: record.id }],
  ]);
});

test.each(['2026-13', '2026-4', 'April 2026', '', 4, undefined])('%s is no month', async (month) => {
  const before = await kept();
  expect((await nameAs('ann', month)).status).toBe(422);
  expect(await kept()).toBe(before);
});

test('nobody else can, and not for the sample', async () => {
  const before = await kept();
  expect((await nameAs('bob', '2026-04')).status).toBe(404);
  expect((await nameAs('admin', '2026-04', 'no-such-id')).status).toBe(404);
  await insertAccount(database.db, 'sample', { isSample: true });
  const sample = recordOf('sample', { is_sample: true });
  await insertVisualization(database.db, sample);
  expect((await nameAs('admin', '2026-04', sample.id)).status).toBe(404);
  expect(await kept()).toBe(before);
});
