import type { NodeFacts } from '@kc/pack/plan/node-facts';
import type { DismissedWarning, WarningPage } from '@kc/rules/warning-shapes';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { untilOneWaits } from '../../test/support/database.ts';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';
import { replacePresetText } from '../visualizations/saved.ts';
import { moveDismissed } from './move-dismissed.ts';

let server: PlannedServer;
beforeAll(async () => {
  server = await startPlanned();
});
beforeEach(() => server.people());
afterAll(() => server.stop());

type Move = readonly [before: string, after: string];

/** A map of clusters with one keyword each, which all are warned about: name → keyword. */
const mapOf = (root: string, clusters: Readonly<Record<string, string>>, moves: readonly Move[] = []) => ({
  ...fileOf(
    `${root} > ${Object.entries(clusters)
      .map(([name, keyword]) => `${name}: ${keyword} 1`)
      .join(' | ')}`,
  ),
  clustering: { format: 1, moves: moves.map((move) => move.map((path) => nodeAt(root, path))) },
});

async function dismiss(id: string, root: string, path: string): Promise<void> {
  const body = { kind: 'single', node: nodeAt(root, path) };
  expect((await server.call('ann', 'PUT', `/visualizations/${id}/dismissed`, body)).status).toBe(200);
}
/** The clusters that are still warned about. */
const open = async (id: string): Promise<string[]> =>
  (await server.call<WarningPage>('ann', 'GET', `/visualizations/${id}/warnings/single`)).body.lines
    .map(({ path }) => path.at(-1)!)
    .sort();
const dismissed = async (id: string): Promise<DismissedWarning[]> =>
  (await server.call<DismissedWarning[]>('ann', 'GET', `/visualizations/${id}/dismissed`)).body;
const restore = (id: string, one: string) =>
  server.call('ann', 'DELETE', `/visualizations/${id}/dismissed`, { dismissed: one });

// Shows P24.7.
test('a dismissed warning follows its branch, stays dismissed in the map before, and is restored in both', async () => {
  const root = 'renamed';
  const first = await server.upload(mapOf(root, { one: 'a', two: 'b' }));
  await dismiss(first, root, 'one');
  const next = await server.upload(mapOf(root, { new: 'a', two: 'b' }, [['one', 'new']]));
  expect([await open(first), await open(next)]).toEqual([['two'], ['two']]);
  expect((await dismissed(next)).map(({ path }) => path)).toEqual([['new']]);
  const [only] = await dismissed(next);
  expect((await restore(next, only!.id)).status).toBe(200);
  expect([await open(first), await open(next)]).toEqual([
    ['one', 'two'],
    ['new', 'two'],
  ]);
});

test('branches that change places take what was dismissed with them, and a new one in the old place has nothing', async () => {
  const root = 'swapped';
  const first = await server.upload(mapOf(root, { one: 'a', two: 'b', three: 'c' }));
  await dismiss(first, root, 'one');
  const moves: Move[] = [
    ['one', 'two'],
    ['two', 'one'],
  ];
  const swapped = await server.upload(mapOf(root, { two: 'a', one: 'b', three: 'c' }, moves));
  expect(await open(swapped)).toEqual(['one', 'three']);
  const taken = mapOf(root, { four: 'a', two: 'd', one: 'b', three: 'c' }, [['two', 'four']]);
  expect(await open(await server.upload(taken))).toEqual(['one', 'three', 'two']);
});

test('two that are merged are one, which is found in every map, and a second upload changes nothing', async () => {
  const root = 'merged';
  const first = await server.upload(mapOf(root, { one: 'a', two: 'b', three: 'c' }));
  await dismiss(first, root, 'one');
  await dismiss(first, root, 'two');
  const moves: Move[] = [
    ['one', 'both'],
    ['two', 'both'],
  ];
  const merged = mapOf(root, { both: 'a', three: 'c' }, moves);
  const next = await server.upload(merged);
  expect(await open(next)).toEqual(['three']);
  const kept = await dismissed(next);
  expect(kept.map(({ path }) => path)).toEqual([['both']]);
  const again = await server.upload({ ...merged, note: 'again' });
  expect([await open(again), await dismissed(again)]).toEqual([['three'], kept]);
  // In the first map, the newest place of the two that it has counts.
  expect((await open(first)).length).toBe(2);
});

test('what was dismissed below a moved branch follows, and what is no longer there stays where it was', async () => {
  const root = 'below';
  const nested = (pillar: string, ...clusters: readonly string[]) => ({
    keywords: [],
    hierarchy: {
      name: root,
      type: 'root',
      children: [
        {
          name: pillar,
          type: 'pillar_topic',
          children: clusters.map((name) => ({
            name,
            type: 'cluster',
            children: [{ name: `about ${name}`, type: 'keyword', volume: 1 }],
          })),
        },
      ],
    },
  });
  const first = await server.upload(nested('old', 'one', 'two', 'three'));
  await dismiss(first, root, 'old > one');
  await dismiss(first, root, 'old > two');
  const moved = { format: 1, moves: [[nodeAt(root, 'old'), nodeAt(root, 'new')]] };
  const next = await server.upload({ ...nested('new', 'one', 'three'), clustering: moved });
  expect([await open(first), await open(next)]).toEqual([['three'], ['three']]);
  expect((await dismissed(next)).map(({ path }) => path.join(' > ')).sort()).toEqual(['new > one', 'old > two']);
});

test('one that is restored while it follows its branch stays restored', async () => {
  const root = 'restored';
  const id = await server.upload(mapOf(root, { one: 'a', two: 'b' }));
  await dismiss(id, root, 'one');
  const [only] = await dismissed(id);
  const facts: NodeFacts = {
    address: nodeAt(root, 'new'),
    path: [['new', 0]],
    kind: 'branch',
    keywords: 1,
    fingerprint: [],
  };
  let restored: ReturnType<typeof restore> | undefined;
  await server.db.transaction().execute(async (tx) => {
    const record = { user_id: 'ann', root_name: root, pack_key: 'none' };
    await moveDismissed({ planFacts: async () => [facts] }, tx, record, [[nodeAt(root, 'one'), nodeAt(root, 'new')]]);
    restored = restore(id, only!.id);
    await untilOneWaits(server.db);
  });
  expect((await restored)!.status).toBe(200);
  expect(await dismissed(id)).toEqual([]);
});

test('a filter that is renamed or changed while its branch moves keeps what its owner wrote', async () => {
  const save = (name: string, filter: string) =>
    server.call<{ id: string }>('ann', 'POST', '/me/filter-presets', { name, filter });
  const { id } = (await save('shoes', 'has-shoes')).body;
  await server.call('ann', 'PUT', `/me/filter-presets/${id}`, { name: 'boots', filter: 'has-boots' });
  await replacePresetText(server.db, id, 'has-shoes', 'has-moved');
  const all = async () => (await server.call<object[]>('ann', 'GET', '/me/filter-presets')).body;
  expect(await all()).toMatchObject([{ name: 'boots', filter: 'has-boots' }]);
  await replacePresetText(server.db, id, 'has-boots', 'has-moved');
  expect(await all()).toMatchObject([{ name: 'boots', filter: 'has-moved' }]);
});

// Shows P24.7.
test('saved filters of the owner follow a branch, those of others stay', async () => {
  const root = 'filtered';
  await server.upload(mapOf(root, { one: 'a', two: 'b' }));
  const [before, after] = [nodeAt(root, 'one'), nodeAt(root, 'new')];
  const filter = `has-shoes*outside-${before}`;
  for (const who of ['ann', 'admin'])
    expect((await server.call(who, 'POST', '/me/filter-presets', { name: 'no one', filter })).status).toBe(200);
  await server.upload(mapOf(root, { new: 'a', two: 'b' }, [['one', 'new']]));
  const filters = async (who: string) =>
    (await server.call<{ filter: string }[]>(who, 'GET', '/me/filter-presets')).body.map((one) => one.filter);
  expect(await filters('ann')).toEqual([`has-shoes*outside-${after}`]);
  expect(await filters('admin')).toEqual([filter]);
});
