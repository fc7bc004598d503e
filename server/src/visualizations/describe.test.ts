import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@kc/rules/limits';
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
const record = recordOf('ann', { description: 'Autumn' });

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-describe-'));
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

async function describeAs(who: string, description: string, id = record.id) {
  const answer = await fetch(`${app.url}/api/visualizations/${id}/description`, {
    method: 'PUT',
    headers: { cookie: await cookieOf(database, who), 'content-type': 'application/json' },
    body: JSON.stringify({ description }),
  });
  return { status: answer.status, body: (await answer.json()) as Visualization };
}

const kept = async () =>
  (await database.db.selectFrom('visualizations').select('description').where('id', '=', record.id).executeTakeFirst())
    ?.description;

// Shows P9.9, P13.5.
test('its owner and an admin can describe a visualization, and the log records who did', async () => {
  expect(await describeAs('ann', 'Spring\u0000 research ')).toMatchObject({
    status: 200,
    body: { id: record.id, description: 'Spring\ufffd research' },
  });
  expect(await describeAs('admin', '')).toMatchObject({ status: 200, body: { description: '' } });
  const lines = await database.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'describe')
    .orderBy('id')
    .execute();
  expect(lines.map(({ actor, target }) => [actor, target])).toEqual([
    ['ann', 'ann'],
    ['admin', 'ann'],
  ]);
});

// Shows P13.5.
test('nobody else can, and the sample cannot be described', async () => {
  const before = await kept();
  expect((await describeAs('bob', 'mine')).status).toBe(404);
  expect((await describeAs('admin', 'mine', 'no-such-id')).status).toBe(404);
  await insertAccount(database.db, 'sample', { isSample: true });
  const sample = recordOf('sample', { is_sample: true });
  await insertVisualization(database.db, sample);
  expect((await describeAs('admin', 'mine', sample.id)).status).toBe(404);
  expect(await kept()).toBe(before);
});

test('a description has the same maximum length as on upload', async () => {
  expect((await describeAs('ann', 'x'.repeat(limits.maxDescriptionLength))).status).toBe(200);
  expect((await describeAs('ann', 'x'.repeat(limits.maxDescriptionLength + 1))).status).toBe(422);
});
