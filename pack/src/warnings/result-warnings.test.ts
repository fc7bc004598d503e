import { expect, test } from 'vitest';
import { packOf } from '../../test/support/filter-trees.ts';
import { noFilter } from '../filter/filter.ts';
import { noPause } from '../format/in-pieces.ts';
import { namesAt } from '../format/names-at.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { addressOf } from '../plan/node-paths.ts';
import { defaultThresholds } from '../vocabulary/warnings.ts';
import { type AllWarnings, findWarnings } from './find-warnings.ts';
import { openWarnings } from './open-warnings.ts';
import { packResults } from './pack-results.ts';

/** "a1 a2" is two pages of site a. */
const urls = (text: string) => text.split(' ').map((page) => `https://www.${page[0]}.test/${page.slice(1)}/`);

type Cluster = Readonly<Record<string, readonly [volume: number, pages: string]>>;

/** A map of clusters, whose keywords have a volume and result pages; none where nothing is known. */
async function mapOf(clusters: Readonly<Record<string, Cluster>>, strays: Cluster = {}) {
  const nodes = (some: Cluster) => Object.keys(some).map((name) => ({ name }));
  const hierarchy = {
    name: 'root',
    children: [
      ...Object.entries(clusters).map(([name, some]) => ({ name, type: 'cluster', children: nodes(some) })),
      ...(Object.keys(strays).length > 0 ? [{ name: 'Stray keywords', type: 'stray', children: nodes(strays) }] : []),
    ],
  };
  const keywords = [...Object.values(clusters), strays].flatMap((some) =>
    Object.entries(some).map(([keyword, [volume, pages]]) => ({
      keyword,
      volume,
      ...(pages !== '' && { serp_urls: urls(pages) }),
    })),
  );
  const { pack, original } = await packOf(hierarchy, keywords);
  const filtered = await filterPack(pack, noFilter);
  return {
    pack,
    original,
    find: (sharedUrls = 3) => findWarnings(filtered, { ...defaultThresholds, sharedUrls }, original),
  };
}

type Map = Awaited<ReturnType<typeof mapOf>>;

async function said({ pack }: Map, { lists }: AllWarnings, kind: 'results-apart' | 'results-alike') {
  const list = lists[kind];
  if ('missing' in list) return list.missing;
  const name = async (rows: readonly number[]) => (await namesAt(pack, Uint32Array.from(rows))).join(', ');
  return Promise.all(
    Array.from(list.rows, async (row, at) => ({
      of: await name(
        list.places ? [...list.places.rows.subarray(list.places.starts[at]!, list.places.starts[at + 1]!)] : [row],
      ),
      affects: [list.keywords[at], list.volumes[at]],
      figures: Object.values(list.figures).map((values) => values[at]),
      evidence: await Promise.all(
        list.evidence![at]!.map(async ({ rows, urls: named }) => `${await name(rows)}: ${named.join(' ')}`),
      ),
    })),
  );
}

// Shows P15.32.
test('a cluster whose keywords share too few result pages is answered by different pages', async () => {
  const map = await mapOf({
    // red and blue share a1 a2 a3; green and black share c1 c2 c3; blue and green share only b1 b2. grey is alone.
    hoses: {
      red: [10, 'a1 a2 a3 b1'],
      blue: [20, 'a1 a2 a3 b1 b2'],
      green: [30, 'b1 b2 c1 c2 c3'],
      black: [40, 'c1 c2 c3'],
      grey: [5, 'g1 c1 a1'],
      white: [100, ''],
    },
    // A chain: each shares three with the next one.
    reels: { one: [1, 'r1 r2 r3'], two: [1, 'r1 r2 r3 r4 r5 r6'], three: [1, 'r4 r5 r6'] },
    unknown: { lime: [7, ''], mint: [8, ''] },
  });
  expect(await said(map, await map.find(), 'results-apart')).toEqual([
    {
      of: 'hoses',
      // Of two groups of two keywords, the heavier one comes first. Outside of it: red, blue, grey.
      affects: [3, 35],
      figures: [3, 2, 5],
      evidence: ['black, green: c.test/1 c.test/2 c.test/3', 'blue, red: a.test/1 a.test/2 a.test/3', 'grey: g.test/1'],
    },
  ]);
  // Two shared pages join red and blue with green and black; grey shares two with none.
  expect(await said(map, await map.find(2), 'results-apart')).toMatchObject([{ affects: [1, 5], figures: [2, 4, 5] }]);
  expect(await said(map, await map.find(1), 'results-apart')).toEqual([]);
  // Only red and blue share four.
  expect(await said(map, await map.find(4), 'results-apart')).toMatchObject([
    { of: 'hoses', figures: [4, 2, 5] },
    { of: 'reels', figures: [3, 1, 3] },
  ]);
});

// Shows P15.32.
test('two clusters are answered by the same pages if half of the smaller one is', async () => {
  const map = await mapOf(
    {
      large: { l1: [1, 'a1 a2 a3'], l2: [2, 'a1 a2 a3'], l3: [4, 'x1 x2 x3'] },
      small: { s1: [8, 'a1 a2 a3 a4'], s2: [16, 'y1 y2 y3'] },
      // One of three: less than half.
      other: { o1: [32, 'y1 y2 y3'], o2: [64, 'z1 z2 z3'], o3: [128, 'z1 z2 z3'] },
      third: { t1: [1, 'z1 z2 z3'], t2: [1, 'w1 w2 w3'], t3: [1, 'w1 w2 w3'] },
    },
    { stray: [1000, 'a1 a2 a3'] },
  );
  expect(await said(map, await map.find(), 'results-alike')).toEqual([
    // s2 is answered like o1, and s2 is one of the two of small.
    {
      of: 'other, small',
      affects: [2, 48],
      figures: [1, 1],
      evidence: ['o1: y.test/1 y.test/2 y.test/3', 's2: y.test/1 y.test/2 y.test/3'],
    },
    {
      of: 'large, small',
      affects: [3, 11],
      figures: [2, 1],
      evidence: ['l2, l1: a.test/1 a.test/2 a.test/3', 's1: a.test/1 a.test/2 a.test/3'],
    },
  ]);
});

test('a page of too many keywords joins nothing', async () => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`k${at}`, [1, `a1 k${at}`] as const]));
  const few = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, [1, `a1 k${at}`] as const]));
  const groups = async (some: Cluster) => {
    const map = await mapOf({ some });
    return (await said(map, await map.find(1), 'results-apart')) as { figures: number[] }[];
  };
  expect((await groups(many))[0]!.figures).toEqual([201, 1, 201]);
  expect(await groups(few)).toEqual([]);
});

test('without search results the file cannot answer, and they are read once for a pack', async () => {
  const without = await mapOf({ hoses: { red: [1, ''], blue: [1, ''] } });
  for (const kind of ['results-apart', 'results-alike'] as const)
    expect(await said(without, await without.find(), kind)).toBe('no-results');
  const { pack, original } = await mapOf({ hoses: { red: [1, 'a1'], blue: [1, 'b1'] } });
  expect(await packResults(pack, original, noPause)).toBe(await packResults(pack, original, noPause));
});

test('of clusters that are answered alike, one pair is dismissed and the others stay', async () => {
  const map = await mapOf({
    one: { a: [1, 'a1 a2 a3'] },
    two: { b: [2, 'a1 a2 a3'] },
    three: { c: [4, 'a1 a2 a3'] },
  });
  const all = await map.find();
  const address = (name: string) => addressOf('root', [[name, 0]]);
  const left = async (first: string, second: string) => {
    const paths = [[[first, 0] as const]];
    const dismissed = [{ kind: 'results-alike' as const, paths, subject: address(second) }];
    const open = (await openWarnings(map.pack, all, dismissed))['results-alike'];
    return 'missing' in open ? undefined : [open.open.length, open.dismissed];
  };
  expect((await said(map, all, 'results-alike')).length).toBe(3);
  // Of clusters of one size, the heavier one is the first.
  expect(await left('two', 'one')).toEqual([2, 1]);
  expect(await left('one', 'two')).toEqual([3, 0]);
});
