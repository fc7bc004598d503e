import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@kc/rules/limits';
import type { SavedView } from '@kc/rules/saved-api';
import { sampleId } from '@kc/rules/upload';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase, untilOneWaits } from '../../test/support/database.ts';
import { insertAccount, recordOf } from '../../test/support/rows.ts';
import { inTransaction } from '../database/open.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { deleteVisualization, insertVisualization, lockOwners, type VisualizationRecord } from './queries.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
/** Two uploads of the same data of Ann's, and an upload of other data. */
let spring: VisualizationRecord;
let autumn: VisualizationRecord;
let tools: VisualizationRecord;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-views-'));
  app = await startTestApp(database, directory);
});
beforeEach(async () => {
  await database.db.deleteFrom('accounts').execute();
  await insertAccount(database.db, 'admin', { role: 'admin' });
  for (const id of ['ann', 'bob']) await insertAccount(database.db, id);
  [spring, autumn, tools] = [recordOf('ann'), recordOf('ann'), recordOf('ann', { root_name: 'tools' })];
  for (const record of [spring, autumn, tools]) await insertVisualization(database.db, record);
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

async function call<T>(who: string, method: string, path: string, body?: object): Promise<{ status: number; body: T }> {
  const answer = await fetch(`${app.url}/api${path}`, {
    method,
    headers: { cookie: await cookieOf(database, who), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as T };
}
type Refused = { data: { code: string; params?: object } };

const save = (who: string, name: string, to = spring.id, more: object = {}) =>
  call<SavedView>(who, 'POST', `/visualizations/${to}/views`, { name, state: 'view=tree', ...more });
const saved = async (who: string, name: string, to = spring.id): Promise<string> => (await save(who, name, to)).body.id;
const list = async (who: string, of = spring.id): Promise<SavedView[]> =>
  (await call<SavedView[]>(who, 'GET', `/visualizations/${of}/views`)).body;
const names = async (who: string, of = spring.id) => (await list(who, of)).map(({ name }) => name);
const rows = () => database.db.selectFrom('saved_views').selectAll().execute();

test('a view can be saved, listed unchanged, renamed and deleted', async () => {
  const state = 'view=sunburst&n=0123456789abcdef&color=difficulty&f=has-running+shoes';
  const { status, body } = await save('ann', '  Trail\n shoes\u202e ', spring.id, { state });
  expect([status, body]).toEqual([200, { id: body.id, name: 'Trail shoes', state }]);
  expect(await list('ann')).toEqual([body]);
  const renamed = await call<SavedView>('ann', 'PUT', `/views/${body.id}/name`, { name: ' Trail ' });
  expect([renamed.status, renamed.body]).toEqual([200, { ...body, name: 'Trail' }]);
  expect(await call('ann', 'DELETE', `/views/${body.id}`)).toEqual({ status: 200, body: { id: body.id } });
  expect(await list('ann')).toEqual([]);
  const again = await call<Refused>('ann', 'DELETE', `/views/${body.id}`);
  expect([again.status, again.body.data.code]).toEqual([404, 'visualization/view-not-found']);
  expect((await call('ann', 'PUT', `/views/${body.id}/name`, { name: 'x' })).status).toBe(404);
});

test('views have the order of their owner, and a restored one has its old position', async () => {
  const [a, b, c] = [await saved('ann', 'a'), await saved('ann', 'b'), await saved('ann', 'c')];
  const other = await saved('ann', 'other', tools.id);
  const order = { ids: [c, other, 'none', a] };
  const moved = await call<SavedView[]>('ann', 'PUT', `/visualizations/${spring.id}/views/order`, order);
  expect(moved.body.map(({ name }) => name)).toEqual(['c', 'a', 'b']);
  expect(await names('ann', tools.id)).toEqual(['other']);
  await call('ann', 'DELETE', `/views/${a}`);
  await save('ann', 'a', spring.id, { at: 1 });
  expect(await names('ann')).toEqual(['c', 'a', 'b']);
  await save('ann', 'last', spring.id, { at: 99 });
  expect(await names('ann')).toEqual(['c', 'a', 'b', 'last']);
  expect((await list('ann')).map(({ id }) => id)).toEqual(expect.arrayContaining([b, c]));
});

// Shows P18.14.
test('an admin who views a user’s data saves views of their own, and cannot change those of others', async () => {
  const ann = await saved('ann', 'Ann’s');
  const admin = await saved('admin', 'The admin’s');
  expect([await names('ann'), await names('admin')]).toEqual([['Ann’s'], ['The admin’s']]);
  for (const [who, id] of [
    ['admin', ann],
    ['ann', admin],
    ['bob', ann],
  ] as const) {
    expect((await call(who, 'PUT', `/views/${id}/name`, { name: 'Mine' })).status).toBe(404);
    expect((await call(who, 'DELETE', `/views/${id}`)).status).toBe(404);
  }
  await call('admin', 'PUT', `/visualizations/${spring.id}/views/order`, { ids: [ann] });
  expect((await rows()).map(({ name }) => name).sort()).toEqual(['Ann’s', 'The admin’s']);
});

test('views of inaccessible data can be neither listed, saved nor ordered', async () => {
  for (const id of [spring.id, 'no-such-id']) {
    const path = `/visualizations/${id}/views`;
    for (const answer of [
      await call<Refused>('bob', 'GET', path),
      await call<Refused>('bob', 'POST', path, { name: 'a', state: '' }),
      await call<Refused>('bob', 'PUT', `${path}/order`, { ids: [] }),
    ]) {
      expect([answer.status, answer.body.data.code]).toEqual([404, 'visualization/not-found']);
    }
  }
  expect(await rows()).toEqual([]);
});

test("a former admin finds none of the views they saved of other users' data", async () => {
  await saved('admin', 'Seen');
  await database.db.updateTable('accounts').set({ role: 'user' }).where('id', '=', 'admin').execute();
  expect((await call('admin', 'GET', `/visualizations/${spring.id}/views`)).status).toBe(404);
});

// Shows P16.5.
test('views apply to a newer upload of the same data, and not to other data', async () => {
  await saved('ann', 'Trail');
  expect(await names('ann', autumn.id)).toEqual(['Trail']);
  expect(await names('ann', tools.id)).toEqual([]);
});

test('views are deleted with the last visualization that shows the data', async () => {
  await saved('ann', 'Trail');
  await saved('admin', 'Seen');
  await saved('ann', 'Rakes', tools.id);
  await call('admin', 'DELETE', `/visualizations/${spring.id}`);
  expect(await names('ann', autumn.id)).toEqual(['Trail']);
  await call('admin', 'DELETE', `/visualizations/${autumn.id}`);
  expect((await rows()).map(({ name }) => name)).toEqual(['Rakes']);
});

test('views are deleted with the user who saved them, and with the owner of the data', async () => {
  await saved('ann', 'Ann’s');
  await saved('admin', 'The admin’s');
  const own = recordOf('admin');
  await insertVisualization(database.db, own);
  await saved('admin', 'Own', own.id);
  await database.db.deleteFrom('accounts').where('id', '=', 'ann').execute();
  expect((await rows()).map(({ name }) => name)).toEqual(['Own']);
  await database.db.deleteFrom('accounts').where('id', '=', 'admin').execute();
  expect(await rows()).toEqual([]);
});

test('each user has their own views of the sample, which survive its re-creation', async () => {
  await insertAccount(database.db, 'nobody', { isSample: true });
  const sample = recordOf('nobody', { id: sampleId, is_sample: true, upload_id: null });
  await insertVisualization(database.db, sample);
  await saved('ann', 'Garden', sampleId);
  expect([await names('ann', sampleId), await names('bob', sampleId)]).toEqual([['Garden'], []]);
  await deleteVisualization(database.db, sampleId);
  await insertVisualization(database.db, sample);
  expect(await names('ann', sampleId)).toEqual(['Garden']);
});

test.each([
  ['a name that is too long', { name: 'x'.repeat(limits.maxViewNameLength + 1), state: '' }, 'request/invalid'],
  ['a name that cannot be seen', { name: ' \u200f ', state: '' }, 'visualization/view-unnamed'],
  ['an address elsewhere', { name: 'a', state: 'https://evil.example' }, 'request/invalid'],
  ['markup', { name: 'a', state: 'q=<img/src/onerror=alert(1)>' }, 'request/invalid'],
  ['another visualization', { name: 'a', state: 'v=sample' }, 'request/invalid'],
  ['a state without end', { name: 'a', state: `f=${'a'.repeat(limits.maxViewStateLength)}` }, 'request/invalid'],
  ['a place before the first', { name: 'a', state: '', at: -1 }, 'request/invalid'],
  ['an owner of one’s choosing', { name: 'a', state: '', accountId: 'bob' }, 'request/invalid'],
])('%s is rejected', async (_what, body, code) => {
  const answer = await call<Refused>('ann', 'POST', `/visualizations/${spring.id}/views`, body);
  expect([answer.status, answer.body.data.code]).toEqual([422, code]);
  expect(await rows()).toEqual([]);
});

test('a view cannot be given an invalid name', async () => {
  const id = await saved('ann', 'Trail');
  for (const name of ['', '\u0007', 'x'.repeat(limits.maxViewNameLength + 1)]) {
    expect((await call('ann', 'PUT', `/views/${id}/name`, { name })).status).toBe(422);
  }
  expect(await names('ann')).toEqual(['Trail']);
});

// Shows P19.8.
test('the number of views per user and hierarchy is limited, even under concurrent requests', async () => {
  for (let i = 2; i < limits.maxSavedViews; i++) await insertPlain(`view-${i}`, i);
  const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => save('ann', `late ${i}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409]);
  expect((await save('ann', 'one more')).body).toMatchObject({
    data: { code: 'visualization/views-full', params: { max: limits.maxSavedViews } },
  });
  expect(new Set((await rows()).map(({ position }) => position)).size).toBe(limits.maxSavedViews);
  expect((await save('ann', 'elsewhere', tools.id)).status).toBe(200);
  expect((await save('admin', 'another’s')).status).toBe(200);
});

async function insertPlain(id: string, position: number): Promise<void> {
  const of = { account_id: 'ann', owner_id: 'ann', root_name: spring.root_name };
  await database.db
    .insertInto('saved_views')
    .values({ id, ...of, name: id, state: '', position, created_at: new Date(0) })
    .execute();
}

test('a view saved while its visualization is deleted is rejected', async () => {
  let answer: Promise<{ status: number }> | undefined;
  await inTransaction(database.db, async (tx) => {
    await lockOwners(tx, ['ann']);
    answer = save('admin', 'Late', tools.id);
    await untilOneWaits(database.db);
    await deleteVisualization(tx, tools.id);
  });
  expect((await answer)?.status).toBe(404);
  expect(await rows()).toEqual([]);
});

test('a view that is deleted while it is renamed does not exist any more', async () => {
  const id = await saved('ann', 'Trail');
  let renamed: ReturnType<typeof call<Refused>> | undefined;
  await inTransaction(database.db, async (tx) => {
    await tx.deleteFrom('saved_views').where('id', '=', id).execute();
    renamed = call('ann', 'PUT', `/views/${id}/name`, { name: 'Late' });
    await untilOneWaits(database.db);
  });
  expect((await renamed)?.body.data.code).toBe('visualization/view-not-found');
});
