import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withMetric } from '../../test/support/columns.ts';
import { sampled } from '../../test/support/sampled.ts';
import { tablesArbitrary } from '../../test/support/tables.ts';
import { arraySink, arraySource, sliceOf, tablesOf, treeOf } from '../../test/support/trees.ts';
import { openPack, type PackReader } from '../format/pack-reader.ts';
import type { Tree } from '../tree/tree.ts';
import { buildTree } from '../tree/tree-builder.ts';
import { writePack } from '../write/pack-writer.ts';
import type { Slice, SliceQuery } from './slice.ts';
import { decodeSlice, encodeSlice } from './slice-wire.ts';
import { takeSlice } from './take-slice.ts';

async function packOf(tree: Tree): Promise<PackReader> {
  const sink = arraySink();
  await writePack(tree, '00'.repeat(32), sink);
  return openPack(arraySource(sink.bytes()));
}

const ask = (query: Partial<SliceQuery>): SliceQuery => ({ node: 0, budget: 1000, skip: 0, ...query });

const nameOf = (slice: Slice, row: number) =>
  new TextDecoder().decode(slice.names.subarray(slice.nameStart[row], slice.nameStart[row + 1]));
const namesOf = (slice: Slice) => Array.from({ length: slice.rows }, (_, row) => nameOf(slice, row));

const shoes = 'shoes (running:cluster (trail 30 "road café" 20) walking 5 idle)';

test('a budget large enough for everything returns everything, with every column', async () => {
  const slice = await takeSlice(await packOf(treeOf(shoes)), ask({}));
  expect(slice).toEqual(sliceOf(shoes));
});

test('a slice can start at any node and keeps its depth and node ID', async () => {
  const slice = await takeSlice(await packOf(treeOf(shoes)), ask({ node: 1 }));
  expect(namesOf(slice)).toEqual(['running', 'trail', 'road café']);
  expect([...slice.node]).toEqual([1, 4, 5]);
  expect([...slice.parent]).toEqual([0, 0, 0]);
  expect([...slice.depth]).toEqual([1, 2, 2]);
});

test('the rest of a long run can be requested by skipping its start', async () => {
  const pack = await packOf(treeOf('r (a 9 b 8 c 7 d 6 (e 6))'));
  expect(namesOf(await takeSlice(pack, ask({ skip: 2 })))).toEqual(['r', 'c', 'd', 'e']);
  expect(namesOf(await takeSlice(pack, ask({ skip: 4 })))).toEqual(['r']);
  expect(namesOf(await takeSlice(pack, ask({ skip: 2, budget: 2 })))).toEqual(['r', 'c']);
});

test('means, known counts and intents are those of the pack', async () => {
  const tables = tablesOf('r (a 1 b 2)');
  const withDifficulty = withMetric(tables.nodes, 'difficulty', [Number.NaN, 30, Number.NaN]);
  const withCpc = withMetric(withDifficulty, 'cpc', [Number.NaN, 1, 2]);
  const nodes = withMetric(withCpc, 'intent', [0, 1, 4 | 8]);
  const slice = await takeSlice(await packOf(buildTree({ ...tables, nodes }, [1, 2])), ask({}));
  expect([...slice.difficulty]).toEqual([30, Number.NaN, 30]);
  expect([...slice.difficultyKnown]).toEqual([1, 0, 1]);
  expect([...slice.cpc]).toEqual([1.5, 2, 1]);
  expect([...slice.intent]).toEqual([1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0]);
});

test('a branch with nearly all leaves does not take the whole budget', async () => {
  const leaves = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(' ');
  const pack = await packOf(
    treeOf(
      `r (big:cluster (${leaves('b', 5000)}) mid:cluster (${leaves('m', 400)}) tiny:cluster (${leaves('t', 40)}))`,
    ),
  );
  const slice = await takeSlice(pack, ask({ budget: 600 }));
  const shown = (name: string) => {
    const row = namesOf(slice).indexOf(name);
    return slice.parent.reduce((count, parent, child) => count + Number(child > 0 && parent === row), 0);
  };
  expect(slice.rows).toBe(600);
  expect(shown('mid')).toBeGreaterThan(30);
  expect(shown('tiny')).toBeGreaterThan(2);
  expect(shown('big')).toBeGreaterThan(300);
});

test('a branch competes for rows only with what it hides, not with what it already shows', async () => {
  const zeros = Array.from({ length: 30 }, (_, index) => `z${index} 0`).join(' ');
  const pack = await packOf(treeOf(`r (one:cluster (giant 100000 ${zeros}) two:cluster (a 50 b 40 c 30 d 20))`));
  expect(namesOf(await takeSlice(pack, ask({ budget: 14 })))).toContain('a');
});

test('an invalid query is rejected', async () => {
  const pack = await packOf(treeOf(shoes, 'unplaced'));
  for (const query of [{ node: 6 }, { node: -1 }, { node: 0.5 }, { budget: 0 }, { skip: -1 }, { budget: Number.NaN }]) {
    await expect(takeSlice(pack, ask(query))).rejects.toThrow(RangeError);
  }
});

test('any slice is connected, within its budget, contains the start of runs, and accounts for what it omits', async () => {
  await fc.assert(
    fc.asyncProperty(tablesArbitrary, fc.nat(), fc.integer({ min: 1, max: 30 }), async (tables, anyNode, budget) => {
      const pack = await packOf(buildTree(tables, [1, 2]));
      const all = await takeSlice(pack, ask({ budget: pack.metadata.nodes }));
      const node = anyNode % pack.metadata.nodes;
      const slice = decodeSlice(encodeSlice(await takeSlice(pack, ask({ node, budget }))));
      expect(slice.rows).toBeLessThanOrEqual(budget);
      expect(slice.node[0]).toBe(node);
      const firstChildren = await pack.column('first_child');
      const branches = await pack.branchesOf(Uint32Array.from(all.node));
      const taken = new Map<number, number>();
      for (let row = 1; row < slice.rows; row++) {
        const parent = slice.parent[row]!;
        expect(parent).toBeLessThan(row);
        expect(slice.node[parent]).toBe(all.parent[slice.node[row]!]);
        const before = taken.get(parent) ?? 0;
        expect(slice.node[row]).toBe(firstChildren[branches[slice.node[parent]!]!]! + before);
        taken.set(parent, before + 1);
      }
      for (let row = 0; row < slice.rows; row++) {
        const children = [...all.parent.keys()].filter((child) => child > 0 && all.parent[child] === slice.node[row]);
        expect(slice.childCount[row]).toBe(children.length);
        expect(slice.childKeywords[row]).toBe(children.reduce((sum, child) => sum + all.keywords[child]!, 0));
        expect(slice.childVolume[row]).toBe(children.reduce((sum, child) => sum + (all.volume[child]! || 0), 0));
      }
      const isComplete =
        slice.rows === budget || slice.childCount.every((count, row) => count === (taken.get(row) ?? 0));
      expect(isComplete).toBe(true);
    }),
    { numRuns: sampled(100) },
  );
});
