import { randomUUID } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import type { PlanFigures, PlanHistory, PlanTotals } from '@kc/rules/plan-shapes';
import { sampleId } from '@kc/rules/upload';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { deleteForgottenPlanEntries } from '../visualizations/cleanup/sweep.ts';

let server: PlannedServer;
let shop: string;
const boots = nodeAt('shoes', 'trail');
const flats = nodeAt('shoes', 'road');
const spikes = nodeAt('shoes', 'trail > spikes');

beforeAll(async () => {
  server = await startPlanned();
});
beforeEach(async () => {
  await server.people();
  shop = await server.upload(fileOf('shoes > trail: boots 30, spikes 5 | road: flats 2, boots 30'));
});
afterAll(() => server.stop());

const add = (who: string, ...nodes: string[]) => server.change(who, shop, { targets: nodes.map((node) => ({ node })) });

test('a node is added with the first values of every field, and the owner and an administrator see it', async () => {
  const { status, body } = await add('ann', boots);
  expect(status).toBe(200);
  const [entry] = body.entries;
  expect(entry).toEqual({
    id: entry!.id,
    kind: 'branch',
    rev: 1,
    path: ['trail'],
    node: boots,
    keywords: 2,
    volume: 35,
    isPlanned: true,
    status: 'idea',
    assignee: '',
    url: '',
    contentType: '',
    tags: [],
    note: '',
    due: '',
    primaryKeyword: '',
    marks: { isPlanned: { rev: 1, by: 'ann', at: entry!.addedAt } },
    addedBy: 'ann',
    addedAt: entry!.addedAt,
  });
  for (const who of ['ann', 'admin']) {
    expect(await server.read(who, shop)).toEqual({
      revision: 1,
      matching: 0,
      lead: 2,
      entries: [entry],
      more: false,
      people: [{ id: 'ann', name: 'ann' }],
      you: who,
    });
  }
});

// Shows P24.6.
test('another user finds no plan, and neither reads nor writes one', async () => {
  await add('ann', boots);
  const path = `/visualizations/${shop}/plan`;
  for (const answer of [
    await server.call('bob', 'GET', path),
    await server.call('bob', 'GET', `${path}/totals`),
    await server.call('bob', 'GET', `${path}/suggestions`),
    await add('bob', flats),
    await server.move('bob', shop, [{ entry: 'x', node: flats }]),
    await server.undo('bob', shop, randomUUID()),
  ]) {
    expect([answer.status, answer.body]).toMatchObject([404, { data: { code: 'visualization/not-found' } }]);
  }
  expect(await server.listed('ann', shop)).toEqual([['trail', true]]);
});

test('two people at once: other fields are saved, the same field is a conflict, and every value is in the history', async () => {
  const { body } = await add('ann', boots);
  const entry = body.entries[0]!.id;
  const targets = [{ entry }];
  const base = body.revision;
  await server.change('ann', shop, { targets, base, set: { status: 'planned', assignee: 'Lena' } });
  const late = await server.change('admin', shop, {
    targets,
    base,
    set: { status: 'written', due: '2027-02' },
    addTags: ['q1'],
  });
  expect(late.body.conflicts).toEqual([{ entry, field: 'status' }]);
  expect(late.body.entries[0]).toMatchObject({ status: 'planned', assignee: 'Lena', due: '2027-02', tags: ['q1'] });
  expect(late.body.entries[0]!.marks.status).toMatchObject({ by: 'ann', rev: base + 1 });
  const insisted = await server.change('admin', shop, {
    targets,
    base: late.body.revision,
    set: { status: 'written' },
  });
  expect(insisted.body.conflicts).toEqual([]);
  const history = await server.call<PlanHistory>('ann', 'GET', `/visualizations/${shop}/plan/history?entry=${entry}`);
  expect(history.body.lines.map(({ field, before, after, by }) => [field, before, after, by])).toEqual([
    ['status', 'planned', 'written', 'admin'],
    ['tags', [], ['q1'], 'admin'],
    ['due', '', '2027-02', 'admin'],
    ['assignee', '', 'Lena', 'ann'],
    ['status', 'idea', 'planned', 'ann'],
    ['isPlanned', false, true, 'ann'],
  ]);
  expect(history.body.people).toEqual([
    { id: 'admin', name: 'admin' },
    { id: 'ann', name: 'ann' },
  ]);
});

// Shows P24.3.
test('the same write sent twice changes nothing the second time and has the same answer', async () => {
  const batch = randomUUID();
  const body = { batch, targets: [{ node: boots }, { node: flats }], set: { status: 'planned' } };
  const first = await server.change('ann', shop, body);
  const rows = await server.db.selectFrom('plan_changes').selectAll().execute();
  const second = await server.change('ann', shop, body);
  expect(second).toEqual(first);
  expect(await server.db.selectFrom('plan_changes').selectAll().execute()).toEqual(rows);
});

test('adding a node that is in the plan already adds nothing', async () => {
  await add('ann', boots);
  const again = await add('admin', boots, flats);
  expect(again.body.entries.map(({ path }) => path)).toEqual([['trail'], ['road']]);
  expect((await server.read('ann', shop)).entries).toHaveLength(2);
});

// Shows P24.1.
test('a plan takes as many entries as it can have, and not one more', async () => {
  const { body } = await add('ann', boots);
  await server.copyEntry(body.entries[0]!.id, limits.maxPlanEntries - 2);
  expect((await add('ann', flats)).status).toBe(200);
  expect((await add('ann', spikes)).body.data).toEqual({ code: 'plan/full', params: { max: '20,000' } });
});

test('a removed entry comes back with its fields, by undo and by adding it again', async () => {
  const { body } = await server.change('ann', shop, { targets: [{ node: boots }], set: { note: 'Winter' } });
  const entry = body.entries[0]!.id;
  const remove = async () => {
    const batch = randomUUID();
    const { revision } = await server.read('ann', shop);
    await server.change('ann', shop, { batch, base: revision, targets: [{ entry }], set: { isPlanned: false } });
    return batch;
  };
  const batch = await remove();
  expect(await server.listed('ann', shop)).toEqual([]);
  expect((await server.undo('ann', shop, batch)).body.entries[0]).toMatchObject({ id: entry, isPlanned: true });
  await remove();
  const { revision } = await server.read('ann', shop);
  const back = await server.change('ann', shop, { base: revision, targets: [{ node: boots }] });
  expect(back.body.entries[0]).toMatchObject({ id: entry, isPlanned: true, note: 'Winter' });
});

test('an entry that was removed 90 days ago is deleted with its history', async () => {
  const { body } = await add('ann', boots, flats);
  const entry = body.entries[0]!.id;
  await server.change('ann', shop, { base: 1, targets: [{ entry }], set: { isPlanned: false } });
  const left = async () => ({
    entries: (await server.db.selectFrom('plan_entries').select('id').execute()).map(({ id }) => id),
    history: (await server.db.selectFrom('plan_changes').select('entry_id').execute()).map((line) => line.entry_id),
  });
  const before = await left();
  await deleteForgottenPlanEntries(server.db, Date.now() + limits.planRemovedKeptMs - 60_000);
  expect(await left()).toEqual(before);
  await deleteForgottenPlanEntries(server.db, Date.now() + limits.planRemovedKeptMs + 60_000);
  expect(await left()).toEqual({
    entries: before.entries.filter((id) => id !== entry),
    history: before.history.filter((id) => id !== entry),
  });
});

test('undo takes back one’s own write within ten minutes, except what somebody has changed since', async () => {
  const { body } = await add('ann', boots);
  const targets = [{ entry: body.entries[0]!.id }];
  const batch = randomUUID();
  await server.change('ann', shop, { batch, base: 1, targets, set: { status: 'planned', assignee: 'Lena' } });
  await server.change('admin', shop, { base: 2, targets, set: { status: 'live' } });
  expect((await server.undo('admin', shop, batch)).body.data.code).toBe('plan/no-undo');
  const undone = await server.undo('ann', shop, batch);
  expect(undone.body.entries[0]).toMatchObject({ status: 'live', assignee: '' });
  expect(undone.body.conflicts).toEqual([{ entry: targets[0]!.entry, field: 'status' }]);
  const old = new Date(Date.now() - limits.planUndoMs - 1000);
  // The server's own role cannot change a history, so the test tells it by another batch that is old.
  const before = await server.db
    .selectFrom('plan_changes')
    .selectAll()
    .where('batch', '=', batch)
    .executeTakeFirstOrThrow();
  const { id: _, ...line } = before;
  const aged = randomUUID();
  const texts = { before: JSON.stringify(line.before), after: JSON.stringify(line.after) };
  await server.db
    .insertInto('plan_changes')
    .values({ ...line, ...texts, batch: aged, at: old })
    .execute();
  expect((await server.undo('ann', shop, aged)).body.data.code).toBe('plan/no-undo');
});

test('the history of a plan cannot be changed by the server', async () => {
  await add('ann', boots);
  await expect(server.db.updateTable('plan_changes').set({ field: 'x' }).execute()).rejects.toThrow(
    /permission denied/,
  );
  await expect(server.db.deleteFrom('plan_changes').execute()).rejects.toThrow(/permission denied/);
});

test('totals count a repeated keyword once, with the furthest status of its places', async () => {
  await server.change('ann', shop, { targets: [{ node: boots }], set: { status: 'live' } });
  await server.change('ann', shop, { targets: [{ node: flats }], set: { status: 'planned' } });
  await server.change('ann', shop, { targets: [{ node: spikes }], set: { status: 'idea' } });
  const totals = (await server.call<PlanTotals>('ann', 'GET', `/visualizations/${shop}/plan/totals`)).body;
  const none = { keywords: 0, volume: 0 };
  expect(totals).toEqual({
    revision: 3,
    whole: {
      keywords: 3,
      volumeKnown: 3,
      ofStatus: [none, { keywords: 1, volume: 5 }, { keywords: 1, volume: 2 }, none, { keywords: 1, volume: 30 }],
    },
  });
  const of = await server.call<PlanTotals>('ann', 'GET', `/visualizations/${shop}/plan/totals?branch=1`);
  expect(of.body.usualKeyword).toBe('boots');
  const missing = await server.call('ann', 'GET', `/visualizations/${shop}/plan/totals?branch=99`);
  expect(missing.status).toBe(404);
});

test('figures of entries have the month in which what the filter keeps is searched most, if there is one', async () => {
  const most = (month: number, shares = 9) => Array.from({ length: 12 }, (_, nth) => (nth === month ? shares : 1));
  const trends = { sandals: most(7), beach: most(2, 90), boots: Array<number>(12).fill(4), laces: undefined };
  const leaves = (...names: string[]) => names.map((name) => ({ name, type: 'keyword' }));
  const seasonal = await server.upload({
    keywords: Object.entries(trends).map(([keyword, trend]) => ({ keyword, volume: 20, ...(trend && { trend }) })),
    hierarchy: {
      name: 'heels',
      type: 'root',
      children: [
        { name: 'summer', type: 'cluster', children: leaves('sandals', 'beach') },
        { name: 'winter', type: 'cluster', children: leaves('boots', 'laces') },
      ],
    },
  });
  const paths = ['summer', 'summer > sandals', 'winter', 'winter > laces'];
  const targets = paths.map((path) => ({ node: nodeAt('heels', path) }));
  await server.change('ann', seasonal, { targets });
  const { entries } = await server.read('ann', seasonal);
  const nameOf = new Map(entries.map(({ id, path }) => [id, path.at(-1)!]));
  const peaks = async (filter = '') => {
    const path = `/visualizations/${seasonal}/plan/figures?filter=${filter}`;
    const { body } = await server.call<PlanFigures>('ann', 'GET', path);
    return Object.fromEntries(body.entries.map(({ entry, peak }) => [nameOf.get(entry), peak]));
  };
  expect(await peaks()).toEqual({ summer: 2, sandals: 7, winter: undefined, laces: undefined });
  expect(await peaks('has-sandals')).toEqual({ summer: 7, sandals: 7 });
});

// Shows P24.11.
test('figures of entries are those of what the filter keeps, and entries of which it keeps nothing are left out', async () => {
  for (const [node, status] of [
    [boots, 'written'],
    [spikes, 'idea'],
    [flats, 'planned'],
  ] as const)
    await server.change('ann', shop, { targets: [{ node }], set: { status } });
  const { entries } = await server.read('ann', shop);
  const nameOf = new Map(entries.map(({ id, path }) => [id, path.at(-1)!]));
  const figures = async (filter = '') => {
    const path = `/visualizations/${shop}/plan/figures?filter=${filter}`;
    const { body } = await server.call<PlanFigures>('ann', 'GET', path);
    return Object.fromEntries(body.entries.map(({ entry, ...one }) => [nameOf.get(entry), one]));
  };
  const covered = (share: number) => ({ share, of: 'volume' });
  const alone = { keywords: 1, volume: 5, covered: covered(0) };
  const trail = { keywords: 2, volume: 35, covered: covered(30 / 35) };
  expect(await figures()).toEqual({ trail, spikes: alone, road: { keywords: 2, volume: 32, covered: covered(0) } });
  const largest = { trail, spikes: alone, road: { keywords: 1, volume: 30, covered: covered(0) } };
  expect(await figures('volume-5_')).toEqual(largest);
  expect(await figures('has-spikes')).toEqual({ trail: alone, spikes: alone });
  expect(await figures('plan-idea*seen-plan')).toEqual({ trail: alone, spikes: alone });
  // After a change, a kept filter is asked about the plan as it is.
  await server.change('ann', shop, { targets: [{ node: boots }], set: { status: 'idea' } });
  expect(await figures('plan-idea*seen-plan')).toEqual({ trail: { ...trail, covered: covered(0) }, spikes: alone });
});

// Shows P24.6.
test('each person has a plan of their own for the sample', async () => {
  await insertAccount(server.db, 'nobody', { isSample: true });
  const other = await server.upload(fileOf('shoes > trail: boots 30'));
  const sample = { id: sampleId, user_id: 'nobody', is_sample: true, is_active: false };
  await server.db.updateTable('visualizations').set(sample).where('id', '=', other).execute();
  await server.change('ann', sampleId, { targets: [{ node: boots }] });
  await add('ann', flats);
  expect(await server.listed('ann', sampleId)).toEqual([['trail', true]]);
  expect(await server.listed('ann', shop)).toEqual([['road', true]]);
  for (const who of ['bob', 'admin']) expect(await server.listed(who, sampleId)).toEqual([]);
});

test('a plan is deleted with its owner, and stays when an upload is deleted', async () => {
  await add('ann', boots);
  const again = await server.upload(fileOf('Shoes > trail: boots 30'));
  await server.call('admin', 'DELETE', `/visualizations/${shop}`);
  expect(await server.listed('ann', again)).toEqual([['trail', true]]);
  await server.db.deleteFrom('accounts').where('id', '=', 'ann').execute();
  for (const table of ['plans', 'plan_entries', 'plan_changes', 'plan_batches'] as const) {
    expect(await server.db.selectFrom(table).selectAll().execute()).toEqual([]);
  }
});

test.each([
  ['an address without a scheme', { set: { url: 'example.com' } }, 'plan/url'],
  ['a day', { set: { due: 'soon' } }, 'plan/due'],
  ['an unknown status', { set: { status: 'done' } }, 'request/invalid'],
  ['a note that is too long', { set: { note: 'x'.repeat(limits.maxPlanNoteLength + 1) } }, 'request/invalid'],
  ['too many tags', { addTags: Array.from({ length: 21 }, (_, at) => `t${at}`) }, 'request/invalid'],
  ['no target', { targets: [] }, 'request/invalid'],
  ['a node that does not exist', { targets: [{ node: 'f'.repeat(16) }] }, 'visualization/node-not-found'],
  ['the root', { targets: [{ node: nodeAt('shoes', '') }] }, 'visualization/node-not-found'],
  ['an entry that does not exist', { targets: [{ entry: 'nothing' }] }, 'plan/entry-not-found'],
])('%s is refused, and nothing is written', async (_what, body, code) => {
  const answer = await server.change('ann', shop, { targets: [{ node: boots }], ...body });
  expect([answer.status >= 400, answer.body.data.code]).toEqual([true, code]);
  expect(await server.db.selectFrom('plan_entries').selectAll().execute()).toEqual([]);
});

test('an entry of another plan cannot be named', async () => {
  const other = await server.upload(fileOf('hats > straw: panama 3'), 'bob');
  const { body } = await server.change('bob', other, { targets: [{ node: nodeAt('hats', 'straw') }] });
  const entry = body.entries[0]!.id;
  expect((await server.change('ann', shop, { targets: [{ entry }] })).body.data.code).toBe('plan/entry-not-found');
  expect((await server.move('ann', shop, [{ entry, node: boots }])).body.data.code).toBe('plan/entry-not-found');
  const history = await server.call('ann', 'GET', `/visualizations/${shop}/plan/history?entry=${entry}`);
  expect(history.status).toBe(404);
});
