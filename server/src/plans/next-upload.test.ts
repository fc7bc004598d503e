import type { PlanSuggestions } from '@kc/rules/plan-shapes';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';

let server: PlannedServer;
beforeAll(async () => {
  server = await startPlanned();
});
beforeEach(() => server.people());
afterAll(() => server.stop());

const before = 'chat > live: talk 9, ring 8, call 7 | bots: bot 6, ai bot 5 | old: fax 4 | stay: mail 3';
/** `live` is renamed, `bots` is part of another branch, `old` is gone. */
const after = 'chat > live help: talk 9, ring 8, call 7 | robots: bot 6, ai bot 5, robot 1 | stay: mail 3';
const at = (path: string) => nodeAt('chat', path);

async function planned() {
  const first = await server.upload(fileOf(before));
  const { body } = await server.change('ann', first, {
    targets: ['live', 'bots', 'old', 'stay'].map((path) => ({ node: at(path) })),
    set: { status: 'planned' },
  });
  const entries = Object.fromEntries(body.entries.map(({ path, id }) => [path[0]!, id]));
  return { first, entries, second: await server.upload(fileOf(after)) };
}

const suggestions = async (of: string) =>
  (await server.call<PlanSuggestions>('ann', 'GET', `/visualizations/${of}/plan/suggestions`)).body.suggestions;

// Shows P24.4.
test('entries keep their nodes in a new upload, and those without one are listed with their fields and a suggestion', async () => {
  const { second, entries } = await planned();
  expect(await server.listed('ann', second)).toEqual(
    expect.arrayContaining([
      ['stay', true],
      ['live', false],
      ['bots', false],
      ['old', false],
    ]),
  );
  const missing = (await server.read('ann', second)).entries.find(({ id }) => id === entries.live);
  expect(missing).toMatchObject({ status: 'planned', keywords: 3, volume: 24 });
  // Entries of one write have no order among themselves.
  const byOverlap = (await suggestions(second)).sort((one, other) => other.overlap - one.overlap);
  expect(byOverlap).toEqual([
    { entry: entries.live, node: at('live help'), path: ['live help'], overlap: 1, isLikely: true },
    { entry: entries.bots, node: at('robots'), path: ['robots'], overlap: 2 / 3, isLikely: false },
  ]);
});

// Shows P24.4.
test('a moved entry has its node in both uploads', async () => {
  const { first, second, entries } = await planned();
  const moved = await server.move('ann', second, [{ entry: entries.live!, node: at('live help') }]);
  expect(moved.body.entries[0]).toMatchObject({ path: ['live help'], node: at('live help'), status: 'planned' });
  expect(await suggestions(second)).toHaveLength(1);
  const shown = (await server.read('ann', first)).entries.find(({ id }) => id === entries.live);
  expect(shown).toMatchObject({ path: ['live help'], node: at('live') });
});

test('adding a node in an older upload finds the entry that has moved away from it', async () => {
  const { first, second, entries } = await planned();
  await server.move('ann', second, [{ entry: entries.live!, node: at('live help') }]);
  const again = await server.change('ann', first, { targets: [{ node: at('live') }] });
  expect(again.body.entries.map(({ id }) => id)).toEqual([entries.live]);
});

test('a new entry at the place that another has left belongs to that place, and all nodes are read again', async () => {
  const { second, entries } = await planned();
  await server.move('ann', second, [{ entry: entries.live!, node: at('live help') }]);
  const matching = (await server.read('ann', second)).matching;
  const third = await server.upload(fileOf('chat > live help: talk 9, ring 8, call 7 | live: other 1'));
  const added = await server.change('ann', third, { targets: [{ node: at('live') }] });
  expect(added.body.entries[0]!.id).not.toBe(entries.live);
  const page = await server.read('ann', third);
  expect(page.matching).toBe(matching + 1);
  expect(page.entries.find(({ id }) => id === entries.live)!.node).toBe(at('live help'));
});

test('two entries cannot have one place', async () => {
  const { second, entries } = await planned();
  const refused = await server.move('ann', second, [{ entry: entries.live!, node: at('stay') }]);
  expect([refused.status, refused.body.data.code]).toEqual([409, 'plan/place-taken']);
  const both = await server.move('ann', second, [
    { entry: entries.live!, node: at('robots') },
    { entry: entries.bots!, node: at('robots') },
  ]);
  expect(both.body.data.code).toBe('plan/place-taken');
  expect((await server.move('ann', second, [{ entry: entries.live!, node: 'f'.repeat(16) }])).status).toBe(404);
});

test('a removed entry does not come back to a place that another has taken', async () => {
  const { second, entries } = await planned();
  await server.change('ann', second, { base: 9, targets: [{ entry: entries.stay! }], set: { isPlanned: false } });
  await server.move('ann', second, [{ entry: entries.live!, node: at('stay') }]);
  const back = await server.change('ann', second, {
    base: 9,
    targets: [{ entry: entries.stay! }],
    set: { isPlanned: true },
  });
  expect(back.body.data.code).toBe('plan/place-taken');
});

// Shows P24.4.
test('a branch that holds other keywords than when it was planned is listed until somebody says that it is right', async () => {
  const first = await server.upload(
    fileOf('shop > trail: boots 30, spikes 5, poles 4, maps 3, socks 2, caps 1 | road: flats 2'),
  );
  const place = (path: string) => nodeAt('shop', path);
  const { body } = await server.change('ann', first, {
    targets: ['trail', 'road', 'trail > boots'].map((path) => ({ node: place(path) })),
    set: { status: 'planned' },
  });
  const [trail] = body.entries.filter(({ path }) => path.join() === 'trail');
  const changed = async (of: string) =>
    (await server.call<PlanSuggestions>('ann', 'GET', `/visualizations/${of}/plan/suggestions`)).body.changed;
  expect(await changed(first)).toEqual([]);
  const same = await server.upload(fileOf('shop > trail: boots 1, spikes 2, other 900 | road: flats 2, racers 4'));
  // A third of what it had is enough.
  expect(await changed(same)).toEqual([]);
  const other = await server.upload(fileOf('shop > trail: boots 1, tents 40, stoves 6 | road: flats 2'));
  expect(await changed(other)).toEqual([{ entry: trail!.id, kept: 1 / 6 }]);
  const { revision, matching } = await server.read('ann', other);
  const confirmed = await server.move('ann', other, [{ entry: trail!.id, node: place('trail') }]);
  expect(confirmed.body.entries[0]).toMatchObject({ path: ['trail'], status: 'planned', keywords: 3 });
  expect(await changed(other)).toEqual([]);
  // The others of the plan are read again, and nothing else.
  expect(await server.read('ann', other)).toMatchObject({ revision: revision + 1, matching });
  const history = await server.call<{ lines: { field: string }[] }>(
    'ann',
    'GET',
    `/visualizations/${other}/plan/history?entry=${trail!.id}`,
  );
  expect(history.body.lines.map(({ field }) => field)).not.toContain('path');
});
