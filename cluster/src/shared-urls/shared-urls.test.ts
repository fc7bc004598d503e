import { existsSync, readFileSync } from 'node:fs';
import { pageOf, resultsOf } from '@kc/pack/shared-urls/results';
import { maxKeywordsOf } from '@kc/pack/shared-urls/sharing';
import type { Sharing } from '@kc/pack/vocabulary/choices';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Graph } from '../communities/graph.ts';
import { sharingGroups } from './groups.ts';
import { sharedUrlGraph } from './shared-url-graph.ts';

/** Ten URLs at most, of so few that they are shared. */
const lists = fc.array(
  fc.uniqueArray(
    fc.nat(12).map((number) => `a.example/${number}`),
    { maxLength: 10 },
  ),
  {
    minLength: 1,
    maxLength: 14,
  },
);

/** How many URLs two keywords share, by comparing all pairs; without URLs of too many keywords. */
function sharedCounts(all: readonly (readonly string[])[], maxKeywords: number): number[][] {
  const counts = (url: string) => all.filter((list) => list.includes(url)).length <= maxKeywords;
  return all.map((one, row) =>
    all.map((other, column) => (row === column ? 0 : one.filter((url) => other.includes(url) && counts(url)).length)),
  );
}

function edgesOf({ offset, to, weight }: Graph): string[] {
  const found: string[] = [];
  for (let node = 0; node + 1 < offset.length; node++)
    for (let at = offset[node]!; at < offset[node + 1]!; at++) found.push(`${node}-${to[at]}: ${weight[at]}`);
  return found.sort();
}

/** Groups as sorted lists of members, by their first ones. */
function groupsOf(of: ArrayLike<number>): number[][] {
  const members = new Map<number, number[]>();
  for (let row = 0; row < of.length; row++) members.set(of[row]!, [...(members.get(of[row]!) ?? []), row]);
  return [...members.values()].sort((a, b) => a[0]! - b[0]!);
}

/** The rules word by word, over a full matrix. */
function naiveGroups(shared: number[][], volume: readonly number[], sharing: Sharing, least: number): number[][] {
  const isTied = (a: number, b: number) => shared[a]![b]! >= least;
  const rows = shared.map((_, row) => row);
  if (sharing === 'moderate') {
    const of = [...rows];
    for (const _ of rows)
      for (const a of rows) for (const b of rows) if (isTied(a, b)) of[b] = of[a] = Math.min(of[a]!, of[b]!);
    return groupsOf(of);
  }
  const free = new Set(rows.toSorted((a, b) => volume[b]! - volume[a]! || a - b));
  const groups: number[][] = [];
  for (const main of free) {
    const group = [main];
    free.delete(main);
    for (const other of free) {
      const fits = sharing === 'soft' ? isTied(main, other) : group.every((member) => isTied(member, other));
      if (fits) group.push(other);
    }
    for (const member of group) free.delete(member);
    groups.push(group.sort((a, b) => a - b));
  }
  return groups.sort((a, b) => a[0]! - b[0]!);
}

describe('a graph of shared URLs', () => {
  // Shows P20.6.
  test('has the edges that comparing all pairs finds', () => {
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 14 }), (all, least, most) => {
        const expected = sharedCounts(all, most).flatMap((row, a) =>
          row.flatMap((count, b) => (count >= least ? [`${a}-${b}: ${count}`] : [])),
        );
        expect(edgesOf(sharedUrlGraph(resultsOf(all), least, most))).toEqual(expected.sort());
      }),
      { numRuns: 1000 },
    );
  });

  test('leaves out URLs of more than 200 keywords and more than 0.2 % of them', () => {
    expect([maxKeywordsOf(1000), maxKeywordsOf(100_000), maxKeywordsOf(500_000)]).toEqual([200, 200, 1000]);
    const shared = (keywords: number) =>
      sharedUrlGraph(resultsOf(Array.from({ length: keywords }, () => ['hub.example'])), 1).to.length;
    expect(shared(200)).toBe(200 * 199);
    expect(shared(201)).toBe(0);
  });
});

describe('groups by shared URLs', () => {
  test.each(['soft', 'moderate', 'hard'] as const)('%s follows its rule', (sharing) => {
    const volumes = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 14, maxLength: 14 });
    fc.assert(
      fc.property(lists, volumes, fc.integer({ min: 1, max: 4 }), (all, volume, least) => {
        const graph = sharedUrlGraph(resultsOf(all), least);
        const found = sharingGroups(graph, Float64Array.from(volume.slice(0, all.length)), sharing, 1);
        expect(groupsOf(found)).toEqual(naiveGroups(sharedCounts(all, 200), volume, sharing, least));
      }),
      { numRuns: 1000 },
    );
  });

  test('an unknown volume comes after all known ones', () => {
    const graph = sharedUrlGraph(
      resultsOf([
        ['x', 'a'],
        ['x', 'y'],
        ['y', 'b'],
      ]),
      1,
    );
    const soft = (...volume: number[]) => groupsOf(sharingGroups(graph, Float64Array.from(volume), 'soft', 1));
    expect(soft(Number.NaN, 0, Number.NaN)).toEqual([[0, 1, 2]]);
    expect(soft(1, 0, Number.NaN)).toEqual([[0, 1], [2]]);
  });

  test('smart has no chain effect', () => {
    const clique = (name: string) =>
      Array.from({ length: 6 }, () => [1, 2, 3, 4].map((number) => `${name}.example/${number}`));
    const [a, b] = [clique('a'), clique('b')];
    a[0]!.push('x', 'y', 'z');
    b[0]!.push('x', 'y', 'z');
    const graph = sharedUrlGraph(resultsOf([...a, ...b]), 3);
    const groups = (sharing: Sharing) => groupsOf(sharingGroups(graph, new Float64Array(12), sharing, 1)).length;
    expect([groups('moderate'), groups('smart')]).toEqual([1, 2]);
  });
});

describe('URLs', () => {
  test.each([
    ['https://www.Example.com/a/', 'example.com/a'],
    ['http://example.com/a#part', 'example.com/a'],
    ['example.com/a?utm_source=x&utm_medium=y', 'example.com/a'],
    ['https://example.com/a?utm_source=x&id=1', 'example.com/a?id=1'],
    ['https://example.com/A', 'example.com/A'],
    ['https://example.com?q=a/b', 'example.com?q=a/b'],
    ['WWW.EXAMPLE.COM', 'example.com'],
    [' ', ''],
  ])('%s is the page %s', (url, page) => {
    expect(pageOf(url)).toBe(page);
  });

  test('only the first ones of a keyword count, each once', () => {
    const { offset, texts } = resultsOf([['a', 'http://a/', 'b', 'c'], ['c']], 2);
    expect([...offset]).toEqual([0, 2, 3]);
    expect(texts).toEqual(['a', 'b', 'c']);
  });
});

const rankings = new URL('../../../../shared/data/serp-rankings/rankings.json', import.meta.url);

describe.skipIf(!existsSync(rankings))('real rankings (skipped without ../shared)', () => {
  const sizes = (sharing: Sharing, least: number) => {
    const rows: { keyword: string; prominence: number; competitor: string }[] = JSON.parse(
      readFileSync(rankings, 'utf8'),
    );
    const byKeyword = Map.groupBy(rows, ({ keyword }) => keyword);
    const all = [...byKeyword.values()].map((list) =>
      list
        .filter(({ prominence }) => prominence <= 10)
        .sort((a, b) => a.prominence - b.prominence)
        .map(({ competitor }) => competitor),
    );
    const graph = sharedUrlGraph(resultsOf(all), least);
    const groups = groupsOf(sharingGroups(graph, new Float64Array(all.length).fill(Number.NaN), sharing, 1));
    return {
      pairs: graph.to.length / 2,
      sizes: groups
        .map(({ length }) => length)
        .filter((size) => size > 1)
        .sort((a, b) => b - a),
      alone: groups.filter(({ length }) => length === 1).length,
    };
  };
  test.each([
    ['moderate', [8, 6, 5, 2, 2, 2], 12],
    ['soft', [7, 6, 5, 2, 2, 2], 13],
    ['hard', [6, 4, 4, 2, 2, 2, 2, 2], 13],
  ] as const)('%s with at least 3 of the first 10', (sharing, expected, alone) => {
    expect(sizes(sharing, 3)).toEqual({ pairs: 46, sizes: expected, alone });
  });
  test('with at least 4 of the first 10', () => {
    expect(sizes('moderate', 4).pairs).toBe(33);
  });
});
