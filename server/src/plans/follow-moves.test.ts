import type { PlanPage } from '@kc/rules/plan-shapes';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';

let server: PlannedServer;
beforeAll(async () => {
  server = await startPlanned();
});
beforeEach(() => server.people());
afterAll(() => server.stop());

type Move = readonly [before: string, after: string];

/** A map whose branches have moved, as a published draft is. Each test has a root of its own. */
const movedFile = (root: string, text: string, moves: readonly Move[]) => ({
  ...fileOf(`${root} > ${text}`),
  clustering: { format: 1, moves: moves.map((move) => move.map((path) => nodeAt(root, path))) },
});

async function planned(root: string, text: string, paths: readonly string[]) {
  const id = await server.upload(fileOf(`${root} > ${text}`));
  const { body } = await server.change('ann', id, {
    targets: paths.map((path) => ({ node: nodeAt(root, path) })),
    set: { status: 'planned' },
  });
  const entries: Record<string, string> = {};
  for (const { path, id: entry } of body.entries) entries[path.join(' > ')] = entry;
  return { id, entries };
}

/** Of each entry in the plan: its path, and whether it has the node at that path. */
const places = ({ entries }: PlanPage, root: string) =>
  Object.fromEntries(
    entries
      .filter(({ isPlanned }) => isPlanned)
      .map(({ id, path, node }) => [id, [path.join(' > '), node === nodeAt(root, path.join(' > '))]]),
  );

// Shows P24.7.
test('an entry follows its branch, and so does one in it; in the map before, both are where they were', async () => {
  const root = 'follows';
  const { id, entries } = await planned(root, 'live: talk 9, ring 8 | stay: mail 3', ['live', 'live > talk', 'stay']);
  const file = movedFile(root, 'live help: talk 19, ring 8, call 1 | stay: mail 3', [['live', 'live help']]);
  const next = await server.upload(file);
  expect(places(await server.read('ann', next), root)).toEqual({
    [entries.live!]: ['live help', true],
    [entries['live > talk']!]: ['live help > talk', true],
    [entries.stay!]: ['stay', true],
  });
  const shown = (await server.read('ann', next)).entries.find((entry) => entry.id === entries.live);
  expect(shown).toMatchObject({ status: 'planned', keywords: 3, volume: 28 });
  const before = await server.read('ann', id);
  expect(before.entries.find((entry) => entry.id === entries.live)!.node).toBe(nodeAt(root, 'live'));
  expect(before.entries.find((entry) => entry.id === entries['live > talk'])!.node).toBe(nodeAt(root, 'live > talk'));
  const history = await server.call<object>('ann', 'GET', `/visualizations/${next}/plan/history?entry=${entries.live}`);
  expect(JSON.stringify(history.body)).toContain('"path"');
});

test('two moves in a chain lead to the end, one after the other and at once', async () => {
  const root = 'chain';
  const { entries } = await planned(root, 'one: a 1, b 2 | other: c 3', ['one', 'one > a']);
  const second = await server.upload(movedFile(root, 'two: a 1, b 2 | other: c 3', [['one', 'two']]));
  expect(places(await server.read('ann', second), root)[entries.one!]).toEqual(['two', true]);
  // A map has the moves of those before it, too.
  const moves: Move[] = [
    ['one', 'three'],
    ['two', 'three'],
  ];
  const third = await server.upload(movedFile(root, 'three: a 1, b 2 | other: c 3', moves));
  expect(places(await server.read('ann', third), root)).toEqual({
    [entries.one!]: ['three', true],
    [entries['one > a']!]: ['three > a', true],
  });

  const late = await planned('late', 'one: a 1, b 2 | other: c 3', ['one']);
  const end = await server.upload(movedFile('late', 'three: a 1, b 2 | other: c 3', moves));
  expect(places(await server.read('ann', end), 'late')[late.entries.one!]).toEqual(['three', true]);
});

test('entries of branches that change places change them, too', async () => {
  const root = 'swap';
  const { entries } = await planned(root, 'one: a 1, b 2 | two: c 3, d 4', ['one', 'two']);
  const moves: Move[] = [
    ['one', 'two'],
    ['two', 'one'],
  ];
  const next = await server.upload(movedFile(root, 'two: a 1, b 2 | one: c 3, d 4', moves));
  expect(places(await server.read('ann', next), root)).toEqual({
    [entries.one!]: ['two', true],
    [entries.two!]: ['one', true],
  });
});

// Shows P24.7.
test('of two entries of merged branches nothing is lost: one stays where it was, with all that was written', async () => {
  const root = 'merged';
  const { id, entries } = await planned(root, 'one: a 1, b 2 | two: c 3, d 4 | three: e 5, f 6', [
    'one',
    'two',
    'three',
  ]);
  await server.change('ann', id, { base: 1, targets: [{ entry: entries.two! }], set: { note: 'Ask Bob' } });
  const moves: Move[] = [
    // Of these two, the first keeps the place, and the third is there already.
    ['two', 'one'],
    ['three', 'four'],
  ];
  const next = await server.upload(movedFile(root, 'one: a 1, b 2, c 3, d 4 | four: e 5, f 6', moves));
  const page = await server.read('ann', next);
  expect(places(page, root)).toEqual({
    [entries.one!]: ['one', true],
    [entries.two!]: ['two', false],
    [entries.three!]: ['four', true],
  });
  expect(page.entries.find((entry) => entry.id === entries.two)).toMatchObject({ status: 'planned', note: 'Ask Bob' });
});

test('an entry that stays keeps others from its place', async () => {
  const root = 'blocked';
  const { entries } = await planned(root, 'one: a 1, b 2 | two: c 3, d 4 | three: e 5, f 6', ['one', 'two', 'three']);
  // `three` stays, so `two` does, and so does `one`.
  const moves: Move[] = [
    ['one', 'two'],
    ['two', 'three'],
  ];
  const next = await server.upload(movedFile(root, 'two: a 1, b 2 | three: c 3, d 4, e 5, f 6', moves));
  expect(Object.values(places(await server.read('ann', next), root)).map(([path]) => path)).toEqual(
    expect.arrayContaining(['one', 'two', 'three']),
  );
  expect(Object.keys(places(await server.read('ann', next), root)).sort()).toEqual(Object.values(entries).sort());
});

test('an entry that was removed comes back to where its branch is now', async () => {
  const root = 'removed';
  const { id, entries } = await planned(root, 'one: a 1, b 2 | two: c 3, d 4', ['one']);
  await server.change('ann', id, { base: 9, targets: [{ entry: entries.one! }], set: { isPlanned: false } });
  const next = await server.upload(movedFile(root, 'new: a 1, b 2 | two: c 3, d 4', [['one', 'new']]));
  await server.change('ann', next, { base: 9, targets: [{ entry: entries.one! }], set: { isPlanned: true } });
  expect(places(await server.read('ann', next), root)).toEqual({ [entries.one!]: ['new', true] });
});

test('what is no longer in a moved branch stays where it was, and other people and roots are left alone', async () => {
  const root = 'gone';
  const { entries } = await planned(root, 'one: a 1, b 2 | two: c 3', ['one > a']);
  const other = await planned('elsewhere', 'one: a 1, b 2 | two: c 3', ['one']);
  const next = await server.upload(movedFile(root, 'new: b 2, x 1 | two: c 3', [['one', 'new']]));
  expect(places(await server.read('ann', next), root)).toEqual({ [entries['one > a']!]: ['one > a', false] });
  expect(places(await server.read('ann', other.id), 'elsewhere')[other.entries.one!]).toEqual(['one', true]);
});

// Shows P24.7.
test('saved views follow branches and the keywords in them, whoever saved them', async () => {
  const root = 'views';
  const at = (path: string) => nodeAt(root, path);
  const first = await server.upload(fileOf(`${root} > one: a 1, b 2 | two: c 3`));
  const view = (who: string, of: string, name: string, state: string) =>
    server.call(who, 'POST', `/visualizations/${of}/views`, { name, state });
  const state = `view=treemap&n=${at('one')}&sel=${at('one > a')}.${at('two')}`;
  expect((await view('ann', first, 'mine', state)).status).toBe(200);
  expect((await view('admin', first, 'of the admin', `n=${at('one > b')}`)).status).toBe(200);
  expect((await view('ann', first, 'plain', 'q=a+b&view=table')).status).toBe(200);
  const next = await server.upload(movedFile(root, 'new: a 1, b 2 | two: c 3', [['one', 'new']]));
  const states = async (who: string) =>
    (await server.call<{ name: string; state: string }[]>(who, 'GET', `/visualizations/${next}/views`)).body.map(
      (one) => one.state,
    );
  expect(await states('ann')).toEqual([
    `view=treemap&n=${at('new')}&sel=${at('new > a')}.${at('two')}`,
    'q=a+b&view=table',
  ]);
  expect(await states('admin')).toEqual([`n=${at('new > b')}`]);
});
