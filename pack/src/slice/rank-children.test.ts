import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { tablesArbitrary } from '../../test/support/tables.ts';
import { arraySink, arraySource, treeOf } from '../../test/support/trees.ts';
import { readFilter } from '../filter/filter-text.ts';
import { openPack, type PackReader } from '../format/pack-reader.ts';
import { filterPack } from '../levels/filter-pack.ts';
import type { View } from '../sums/filtered-pack.ts';
import type { Tree } from '../tree/tree.ts';
import { buildTree } from '../tree/tree-builder.ts';
import { writePack } from '../write/pack-writer.ts';
import type { ChildRanking } from './child-ranking.ts';
import type { Slice } from './slice.ts';
import { takeSlice } from './take-slice.ts';

async function packOf(tree: Tree): Promise<PackReader> {
  const sink = arraySink();
  await writePack(tree, '00'.repeat(32), sink);
  return openPack(arraySource(sink.bytes()));
}

const nameOf = ({ names, nameStart }: Slice, row: number) =>
  new TextDecoder().decode(names.subarray(nameStart[row], nameStart[row + 1]));

/** The value of a row in a slice, by ranking name. */
function figureOf(slice: Slice, row: number, by: string): number | string {
  if (by === 'name') return nameOf(slice, row);
  if (by === 'type') return slice.types[slice.type[row]!]!;
  return slice[by as 'keywords' | 'volume' | 'difficulty' | 'cpc'][row]!;
}

/** The children of a slice's first row, sorted naively. */
function sorted(slice: Slice, { by, descending }: ChildRanking): number[] {
  const collator = new Intl.Collator('en');
  const children = Array.from(slice.node.keys()).filter((row) => row > 0 && slice.parent[row] === 0);
  children.sort((one, other) => slice.order[one]! - slice.order[other]!);
  const known = children.filter((row) => figureOf(slice, row, by) !== '' && !Number.isNaN(figureOf(slice, row, by)));
  known.sort((one, other) => {
    const [a, b] = [figureOf(slice, one, by), figureOf(slice, other, by)];
    const order = typeof a === 'string' ? collator.compare(a, String(b)) : a - Number(b);
    return descending ? -order : order;
  });
  return [...known, ...children.filter((row) => !known.includes(row))].map((row) => slice.node[row]!);
}

/** All children, fetched page by page, in page order. */
async function pages(pack: View, node: number, ranked: ChildRanking, atATime: number) {
  const filter = 'kept' in pack ? pack.filter : '';
  const found: number[] = [];
  for (;;) {
    const after = found.at(-1);
    const query = { node, skip: 0, budget: 1 + atATime, filter };
    const page = await takeSlice(pack, { ...query, ranked: { ...ranked, ...(after !== undefined && { after }) } });
    expect(page.node.slice(1)).toEqual(page.node.slice(1).sort());
    if (page.rows === 1) return found;
    found.push(...sorted(page, ranked));
  }
}

const rankings = fc.record({
  by: fc.constantFrom('name', 'type', 'keywords', 'volume', 'difficulty', 'cpc'),
  descending: fc.boolean(),
});

test('pages in any order contain each child once, sorted correctly, with and without a filter', async () => {
  await fc.assert(
    fc.asyncProperty(tablesArbitrary, rankings, fc.integer({ min: 1, max: 4 }), async (tables, ranked, atATime) => {
      const whole = await packOf(buildTree(tables, [1, 2]));
      const kept = await filterPack(whole, readFilter('volume-100_')!);
      const packs: readonly View[] = [whole, kept];
      for (const pack of packs) {
        const { nodes } = whole.metadata;
        const filter = 'kept' in pack ? pack.filter : '';
        for (let node = 0; node < nodes; node++) {
          if (!pack.keeps(node)) continue;
          const all = await takeSlice(pack, { node, skip: 0, budget: nodes, filter });
          expect(await pages(pack, node, ranked, atATime)).toEqual(sorted(all, ranked));
        }
      }
    }),
    { numRuns: sampled(60) },
  );
});

test('the first of very many children are found in pieces, and an abort takes effect', async () => {
  const count = 100_000;
  const pack = await packOf(
    treeOf(`r (${Array.from({ length: count }, (_, k) => `k${k} ${(k * 7919) % count}`).join(' ')})`),
  );
  let pauses = 0;
  const query = { node: 0, skip: 0, budget: 4, ranked: { by: 'volume', descending: false } };
  const slice = await takeSlice(pack, query, async () => {
    pauses++;
  });
  expect([...slice.volume.slice(1)].sort()).toEqual([0, 1, 2]);
  expect(pauses).toBe(3);
  const gaveUp = new Error('nobody waits');
  await expect(takeSlice(pack, query, () => Promise.reject(gaveUp))).rejects.toBe(gaveUp);
});

test('a leaf has nothing to rank, an unknown child means the first page, and invalid queries are rejected', async () => {
  const pack = await packOf(treeOf('r (a 1 b 2)'));
  const ask = (node: number, ranked: ChildRanking, rest = false) =>
    takeSlice(pack, { node, skip: 0, budget: 2, ranked, ...(rest && { rest }) });
  expect((await ask(1, { by: 'name', descending: false })).rows).toBe(1);
  const first = await ask(0, { by: 'name', descending: false, after: 0 });
  expect(nameOf(first, 1)).toBe('a');
  await expect(ask(0, { by: 'field:none', descending: false })).rejects.toThrow(RangeError);
  await expect(ask(0, { by: 'name', descending: false }, true)).rejects.toThrow(RangeError);
});
