import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, filter, packOf, root } from '../../test/support/filter-trees.ts';
import {
  clusterOf,
  distinctWithin,
  lineOf,
  type OracleNode,
  plainNodes,
  rowsOfLevel,
} from '../../test/support/levels-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import { noPause } from '../format/in-pieces.ts';
import { namesAt } from '../format/names-at.ts';
import { foldForSearch } from '../names/normal-form.ts';
import { takeSlice } from '../slice/take-slice.ts';
import type { View } from '../sums/filtered-pack.ts';
import { levels } from '../vocabulary/choices.ts';
import { filterPack } from './filter-pack.ts';
import { levelListsOf } from './level-lists.ts';
import { firstPlaces, placesInOrder, sortRows } from './order.ts';
import { type RowSort, readSort, writeSort } from './row-sort.ts';
import { decodeRows, encodeRows } from './rows-wire.ts';
import { takeRows } from './take-rows.ts';
import { totalsOf } from './union.ts';

const by = fc.constantFrom(
  'keywords',
  'volume',
  'difficulty',
  'cpc',
  'name',
  'type',
  'cluster',
  'depth',
  'field:Stage',
);
const sorts = fc
  .uniqueArray(by, { minLength: 0, maxLength: 3 })
  .chain((names) => fc.tuple(...names.map((one) => fc.record({ by: fc.constant(one), descending: fc.boolean() }))));

/** The value of a node for a sort key, from a slice of the whole tree; undefined if unknown. */
async function oracleValues(pack: View, nodes: readonly OracleNode[]) {
  const filterText = 'kept' in pack ? pack.filter : '';
  const fields = pack.metadata.fields.some(({ name }) => name === 'Stage') ? ['Stage'] : [];
  const slice = await takeSlice(pack, { node: 0, budget: 100_000, skip: 0, filter: filterText, fields });
  const names = await namesAt(
    pack,
    Uint32Array.from(nodes, ({ row }) => row),
  );
  const collator = new Intl.Collator('en');
  const at = new Map(Array.from(slice.node, (row, index) => [row, index]));
  return {
    hasStage: fields.length > 0,
    compare(key: string, one: number, other: number): number {
      const [a, b] = [figureOf(key, one), figureOf(key, other)];
      if (a === undefined || b === undefined) return Number.NaN;
      if (typeof a === 'number') return a - Number(b);
      if (key === 'name') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
      return collator.compare(a, String(b));
    },
    isUnknown: (key: string, row: number) => figureOf(key, row) === undefined,
  };
  function figureOf(key: string, row: number): number | string | undefined {
    const index = at.get(row)!;
    if (key === 'name') return foldForSearch(names[row]!);
    if (key === 'type') return nodes[row]!.type || undefined;
    if (key === 'cluster') return names[clusterOf(nodes[row]!)?.row ?? -1];
    if (key === 'field:Stage') {
      const field = slice.fields[0]!;
      return field.kind === 'category' ? field.values[field.value[index]!] || undefined : undefined;
    }
    const value = slice[key as 'keywords' | 'volume'][index]!;
    return Number.isNaN(value) ? undefined : value;
  }
}

// Shows P15.16.
test('lists are sorted by up to three keys, unknown last, and pages join without a gap, for random trees', async () => {
  await fc.assert(
    fc.asyncProperty(root, entries, filter, sorts, async (hierarchy, keywords, asked, given) => {
      const { pack } = await packOf(hierarchy, keywords);
      const both: readonly View[] = [pack, await filterPack(pack, asked)];
      for (const one of both) {
        const nodes = await plainNodes(one);
        const oracle = await oracleValues(one, nodes);
        const sort: RowSort = given.filter((key) => oracle.hasStage || key.by !== 'field:Stage');
        for (const level of levels) {
          const isKept = (row: number) => !('kept' in one) || one.keeps(row);
          const expected = rowsOfLevel(nodes, level, 0)
            .filter(isKept)
            .filter((row) => row !== 0)
            .sort((a, b) => {
              for (const key of sort) {
                const [isA, isB] = [oracle.isUnknown(key.by, a), oracle.isUnknown(key.by, b)];
                if (isA && isB) continue;
                if (isA || isB) return Number(isA) - Number(isB);
                const order = oracle.compare(key.by, a, b);
                if (order !== 0) return key.descending ? -order : order;
              }
              return a - b;
            });
          const lists = levelListsOf(one);
          const query = { level, within: 0, sort };
          const paged: number[] = [];
          const { total, keywords: distinct } = await lists.page(query, 0, 0);
          for (let from = 0; from < total; from += 3) paged.push(...(await lists.page(query, from, 3)).rows);
          expect(paged.filter((row) => row !== 0)).toEqual(expected);
          expect(distinct).toBe(distinctWithin(nodes, paged).length);
          for (const node of nodes.filter(({ row }) => isKept(row))) {
            expect(await lists.placeOf(query, node.row)).toEqual(expectedPlace(nodes, paged, node));
          }
        }
      }
    }),
    { numRuns: sampled(150), endOnFailure: true, seed: 21 },
  );
});

test('by difficulty by volume, a keyword without searches comes last', async () => {
  const children = [
    { name: 'easy', difficulty: 10, volume: 0 },
    { name: 'hard', difficulty: 50, volume: 5 },
    { name: 'fair', difficulty: 30, volume: 10 },
    { name: 'new', difficulty: 20 },
  ];
  const { pack } = await packOf({ name: 'root', children }, []);
  const query = { level: 'keywords', within: 0, sort: [{ by: 'difficulty_weighted', descending: false }] } as const;
  const { rows } = await levelListsOf(pack).page(query, 0, 9);
  expect(await namesAt(pack, Uint32Array.from(rows))).toEqual(['fair', 'hard', 'easy', 'new']);
});

function expectedPlace(nodes: readonly OracleNode[], list: readonly number[], node: OracleNode) {
  if (list.length === 0) return undefined;
  const around = lineOf(node).find(({ row }) => list.includes(row));
  if (around) return { rank: list.indexOf(around.row), is: around === node ? 'same' : 'around' };
  const inside = list.findIndex((row) => lineOf(nodes[row]!).includes(node));
  return inside < 0 ? { rank: 0, is: 'first' } : { rank: inside, is: 'inside' };
}

// Shows P15.18.
test('totals of any set of nodes count nested rows and repeats once, for random trees and filters', async () => {
  await fc.assert(
    fc.asyncProperty(root, entries, filter, fc.array(fc.nat(), { maxLength: 8 }), async (tree, list, asked, picks) => {
      const { pack } = await packOf(tree, list);
      const both: readonly View[] = [pack, await filterPack(pack, asked)];
      for (const one of both) {
        const nodes = await plainNodes(one);
        const kept = nodes.filter(({ row }) => !('kept' in one) || one.keeps(row));
        const rows = picks.map((pick) => kept[pick % kept.length]!.row);
        const inside = distinctWithin(nodes, rows);
        const totals = await totalsOf(one, Uint32Array.from(rows));
        const [volumes, difficult] = [
          inside.filter(({ volume }) => !Number.isNaN(volume)),
          inside.filter(({ difficulty }) => !Number.isNaN(difficulty)),
        ];
        const sum = (some: readonly OracleNode[], of: 'volume' | 'difficulty') =>
          some.reduce((total, node) => total + (node[of] || 0), 0);
        expect([totals.keywords, totals.volumeKnown, totals.difficultyKnown]).toEqual([
          inside.length,
          volumes.length,
          difficult.length,
        ]);
        if (volumes.length === 0) expect(totals.volume).toBeNaN();
        else expect(totals.volume).toBeCloseTo(sum(volumes, 'volume'), 4);
        expect(totals.difficultyKnownVolume).toBeCloseTo(sum(difficult, 'volume'), 4);
        if (difficult.length === 0) expect(totals.difficulty).toBeNaN();
        else expect(totals.difficulty).toBeCloseTo(sum(difficult, 'difficulty') / difficult.length, 4);
      }
    }),
    { numRuns: sampled(200), endOnFailure: true, seed: 22 },
  );
});

test('a page survives the way to the browser', async () => {
  await fc.assert(
    fc.asyncProperty(root, entries, filter, async (hierarchy, keywords, asked) => {
      const { pack } = await packOf(hierarchy, keywords);
      const one = await filterPack(pack, asked);
      const fields = pack.metadata.fields.map(({ name }) => name);
      const query = { level: 'keywords', within: 0, sort: [], from: 1, count: 4, fields, withTrends: true } as const;
      const page = await takeRows(one, query);
      expect(decodeRows(encodeRows(page))).toEqual(page);
      expect(page.slice.rows).toBe(Math.max(0, Math.min(4, page.total - 1)));
    }),
    { numRuns: 50, seed: 23 },
  );
});

test('many rows are sorted like few, in pieces', async () => {
  const rows = Uint32Array.from({ length: 70_000 }, (_, row) => row);
  const value = (row: number) => (row * 7919) % 1000;
  const compare = (one: number, other: number) => value(one) - value(other) || one - other;
  let pauses = 0;
  const sorted = await sortRows(rows, compare, async () => {
    pauses++;
  });
  expect(sorted).toEqual(rows.toSorted(compare));
  expect(pauses).toBeGreaterThan(1);
  const gaveUp = new Error('nobody waits');
  await expect(sortRows(rows, compare, () => Promise.reject(gaveUp))).rejects.toBe(gaveUp);
});

test.each([
  ['are in any order, many of them equal or unknown', (at: number) => (at % 9 === 0 ? Number.NaN : (at * 7919) % 1000)],
  ['are highest where a sample looks', (at: number) => (at % 4 === 0 ? 1e6 + at : at % 1000)],
  ['are low where a sample looks', (at: number) => (at % 4 === 0 ? at % 1000 : 1e6 + at)],
  ['are all the same', () => 5],
  ['are mostly unknown', (at: number) => (at % 5000 === 1 ? at : Number.NaN)],
  ['are unknown', () => Number.NaN],
])('the first of many rows are those of the whole order if values %s', async (_, valueAt) => {
  const values = Float64Array.from({ length: 40_000 }, (_, at) => valueAt(at));
  const second = Float64Array.from(values, (_, at) => at % 3);
  const [every, some] = [Uint32Array.from(values.keys()), Uint32Array.from(values.keys()).filter((at) => at % 2 === 0)];
  for (const descending of [false, true]) {
    const keys = [
      { values, descending },
      { values: second, descending: true },
    ];
    const all = await placesInOrder(keys, noPause);
    for (const count of [1, 50, 1000, 20_000]) {
      expect(await firstPlaces(keys, count, noPause)).toEqual(all.slice(0, count));
      expect(await firstPlaces(keys, count, noPause, every)).toEqual(all.slice(0, count));
      expect(await firstPlaces(keys, count, noPause, some)).toEqual(all.filter((at) => at % 2 === 0).slice(0, count));
    }
  }
});

test('a sort has one text, and a text that is no sort is refused', () => {
  const sort: RowSort = [
    { by: 'volume', descending: true },
    { by: 'field:a*b-c', descending: false },
    { by: 'known:difficulty', descending: true },
  ];
  expect(writeSort(sort)).toBe('-volume*field:a**b-c*-known:difficulty');
  expect(readSort(writeSort(sort))).toEqual(sort);
  expect(readSort('')).toEqual([]);
  for (const text of ['*', 'volume*', 'nothing', 'volume*-volume', 'name*type*cpc*volume', 'field:', '--volume']) {
    expect(readSort(text), text).toBeUndefined();
  }
});
