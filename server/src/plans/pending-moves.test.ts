import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';
import { flipActive } from '../visualizations/queries.ts';

let server: PlannedServer;
let isBroken = false;
let failures = 0;
beforeAll(async () => {
  server = await startPlanned(Date.now, {
    async flip(...of) {
      if (!isBroken) return flipActive(...of);
      failures += 1;
      throw new Error('no');
    },
  });
});
beforeEach(async () => {
  isBroken = false;
  await server.people();
});
afterAll(() => server.stop(Array.from({ length: failures }, () => expect.stringContaining('"message":"no"'))));

/** Plans a branch and saves a view of it, then uploads a map that has renamed it, which cannot be made active. */
async function savedInactive(root: string) {
  const old = await server.upload(fileOf(`${root} > one: a 1, b 2 | two: c 3`));
  const targets = [{ node: nodeAt(root, 'one') }];
  const { body } = await server.change('ann', old, { targets, set: { status: 'planned' } });
  await server.call('ann', 'POST', `/visualizations/${old}/views`, { name: 'one', state: `n=${nodeAt(root, 'one')}` });
  const renamed = {
    ...fileOf(`${root} > new: a 1, b 2 | two: c 3`),
    clustering: { format: 1, moves: [[nodeAt(root, 'one'), nodeAt(root, 'new')]] },
  };
  isBroken = true;
  const saved = await server.upload(renamed);
  isBroken = false;
  return { old, saved, entry: body.entries[0]!.id };
}

const activate = async (id: string) => (await server.call('ann', 'POST', `/visualizations/${id}/activate`)).status;
const nodeIn = async (id: string, entry: string) =>
  (await server.read('ann', id)).entries.find((one) => one.id === entry)!.node;
const viewIn = async (id: string) =>
  (await server.call<{ state: string }[]>('ann', 'GET', `/visualizations/${id}/views`)).body.map(({ state }) => state);
const pathChanges = async (id: string, entry: string) =>
  JSON.stringify((await server.call('ann', 'GET', `/visualizations/${id}/plan/history?entry=${entry}`)).body).split(
    '"path"',
  ).length - 1;
const kept = async () => (await server.db.selectFrom('pending_moves').select('visualization_id').execute()).length;

// Shows P24.7.
test('what refers to a moved branch follows it when the map that was saved inactive is activated, and once', async () => {
  const root = 'later';
  const { old, saved, entry } = await savedInactive(root);
  const [before, after] = [nodeAt(root, 'one'), nodeAt(root, 'new')];
  expect([await nodeIn(saved, entry), await viewIn(saved)]).toEqual([undefined, [`n=${before}`]]);
  // The map before it is activated first, and nothing moves.
  expect([await activate(old), await nodeIn(old, entry), await viewIn(old)]).toEqual([200, before, [`n=${before}`]]);
  expect([await activate(saved), await nodeIn(saved, entry), await viewIn(saved)]).toEqual([
    200,
    after,
    [`n=${after}`],
  ]);
  expect([await kept(), await pathChanges(saved, entry)]).toEqual([0, 1]);
  // Back again: the entry has both paths, and is found in both maps.
  expect([await activate(old), await nodeIn(old, entry)]).toEqual([200, before]);
  expect([await activate(saved), await activate(saved), await nodeIn(saved, entry)]).toEqual([200, 200, after]);
  expect(await pathChanges(saved, entry)).toBe(1);
});

test('an activation that fails keeps the moves for the next one', async () => {
  const root = 'again';
  const { saved, entry } = await savedInactive(root);
  isBroken = true;
  expect(await activate(saved)).toBe(500);
  isBroken = false;
  expect([await kept(), await nodeIn(saved, entry)]).toEqual([1, undefined]);
  expect([await activate(saved), await nodeIn(saved, entry)]).toEqual([200, nodeAt(root, 'new')]);
});

test('a map that is deleted before it was activated moves nothing, and its moves go with it', async () => {
  const { old, saved, entry } = await savedInactive('deleted');
  expect(await kept()).toBe(1);
  expect((await server.call('admin', 'DELETE', `/visualizations/${saved}`)).status).toBe(200);
  expect([await kept(), await activate(saved)]).toEqual([0, 404]);
  expect([await activate(old), await nodeIn(old, entry)]).toEqual([200, nodeAt('deleted', 'one')]);
});
