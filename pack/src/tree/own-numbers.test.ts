import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { tablesArbitrary } from '../../test/support/tables.ts';
import { arraySink, arraySource, tablesOf } from '../../test/support/trees.ts';
import { noFilter } from '../filter/filter.ts';
import { noPause } from '../format/in-pieces.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { valuesOf } from '../levels/row-values.ts';
import type { NumberField } from '../slice/slice.ts';
import { takeSlice } from '../slice/take-slice.ts';
import type { UploadField, UploadTables } from '../upload/upload-tables.ts';
import { checkPack } from '../write/pack-check.ts';
import { writePack } from '../write/pack-writer.ts';
import { buildTree } from './tree-builder.ts';

const unknown = Number.NaN;

const confidence = (nodes: readonly number[], keywords?: readonly number[]): UploadField => ({
  name: 'confidence',
  kind: 'number',
  rollUp: 'mean',
  nodes: Float64Array.from(nodes),
  keywords: keywords && Float64Array.from(keywords),
});

async function packWith(tables: UploadTables, field: UploadField) {
  const sink = arraySink();
  const tree = buildTree(tables, [1, 2], [field]);
  await writePack(tree, '00'.repeat(32), sink);
  return { tree, pack: await checkPack(arraySource(sink.bytes())) };
}

// Two clusters of a pillar topic, and a keyword that belongs to none.
const clusters = 'r (p:pillar_topic (a:cluster (x y) b:cluster (z)) w)';
/** In document order: r, p, a, x, y, b, z, w. */
const given = [unknown, unknown, 90, unknown, unknown, 40, unknown, unknown];
const wanted = { node: 0, budget: 20, skip: 0, fields: ['confidence'] };
const namesOf = (names: Uint8Array, starts: Uint32Array, rows: number) =>
  Array.from({ length: rows }, (_, row) => new TextDecoder().decode(names.subarray(starts[row], starts[row + 1])));

test('a number of branches alone is theirs, of the keywords in them, and a mean above', async () => {
  const { pack } = await packWith(tablesOf(clusters), confidence(given));
  const slice = await takeSlice(pack, wanted);
  const [field] = slice.fields as [NumberField];
  const of = Object.fromEntries(namesOf(slice.names, slice.nameStart, slice.rows).map((name, row) => [name, row]));
  expect(field.rollUp).toBe('own');
  const figureOf = (name: string) => [field.value[of[name]!], field.known[of[name]!]];
  expect(['a', 'b', 'x', 'y', 'z', 'w'].map(figureOf)).toEqual([
    [90, 2],
    [40, 1],
    [90, 1],
    [90, 1],
    [40, 1],
    [unknown, 0],
  ]);
  // (90 + 90 + 40) / 3; w is unknown, not 0.
  expect(figureOf('p')).toEqual([220 / 3, 3]);
  expect(figureOf('r')).toEqual([220 / 3, 3]);
});

test('keywords are filtered by the number of their branch, which stays what it is', async () => {
  const { pack } = await packWith(tablesOf(clusters), confidence(given));
  const kept = await filterPack(pack, { ...noFilter, ranges: [{ of: 'field:confidence', from: 80, to: undefined }] });
  const slice = await takeSlice(kept, { ...wanted, filter: kept.filter });
  expect(namesOf(slice.names, slice.nameStart, slice.rows)).toEqual(['r', 'p', 'a', 'x', 'y']);
  expect([...(slice.fields[0] as NumberField).value]).toEqual([90, 90, 90, 90, 90]);
  const one = await filterPack(pack, { ...noFilter, contains: ['y'] });
  const some = await takeSlice(one, { ...wanted, filter: one.filter });
  expect([...(some.fields[0] as NumberField).value]).toEqual([90, 90, 90, 90]);
});

test('a list, sorted by it, reads what the slice shows, also of a branch whose own differs from the mean below', async () => {
  // p has 10 itself, although (90 + 90 + 40) / 3 is the mean of its keywords.
  const { pack } = await packWith(tablesOf(clusters), confidence([unknown, 10, ...given.slice(2)]));
  const kept = await filterPack(pack, { ...noFilter, contains: ['z'] });
  for (const view of [pack, kept]) {
    const slice = await takeSlice(view, { ...wanted, ...(view === kept && { filter: kept.filter }) });
    const rows = slice.node.slice().sort();
    const shown = Array.from(rows, (row) => (slice.fields[0] as NumberField).value[slice.node.indexOf(row)]!);
    expect(shown).toContain(10);
    expect(Array.from(await valuesOf(view, 'field:confidence', rows, noPause))).toEqual(shown);
  }
});

test('branches are sorted by it', async () => {
  const { pack } = await packWith(
    tablesOf(clusters),
    confidence([unknown, unknown, 40, ...given.slice(3, 5), 90, ...given.slice(6)]),
  );
  const first = async (descending: boolean) => {
    const ranked = { by: 'field:confidence', descending };
    const slice = await takeSlice(pack, { node: 1, budget: 2, skip: 0, fields: [], ranked });
    return namesOf(slice.names, slice.nameStart, slice.rows)[1];
  };
  expect([await first(true), await first(false)]).toEqual(['b', 'a']);
});

test('where keywords have the number themselves, that of a branch counts for nothing', async () => {
  for (const field of [
    confidence(given, [10]),
    confidence([unknown, unknown, 90, 10, unknown, 40, unknown, unknown]),
    { ...confidence(given), rollUp: 'sum' } as UploadField,
  ]) {
    const { pack } = await packWith(tablesOf(clusters, 'x'), field);
    const slice = await takeSlice(pack, wanted);
    expect((slice.fields[0] as NumberField).rollUp).not.toBe('own');
  }
});

const branchNumbers = tablesArbitrary.chain((tables) =>
  fc
    .array(fc.constantFrom(unknown, unknown, 0, 1, 2, 50), {
      minLength: tables.nodes.rows,
      maxLength: tables.nodes.rows,
    })
    .map((numbers) => {
      const { parent } = tables.nodes;
      const isBranch = (node: number) => parent.some((above, child) => child > 0 && above === node);
      return { tables, numbers: numbers.map((number, node) => (isBranch(node) ? number : unknown)) };
    }),
);

// Shows P22.10.
test('in any tree, each keyword has the number of the nearest branch, and each branch without one their mean', async () => {
  await fc.assert(
    fc.asyncProperty(branchNumbers, async ({ tables, numbers }) => {
      fc.pre(numbers.some((number) => !Number.isNaN(number)));
      const { parent } = tables.nodes;
      const { tree, pack } = await packWith(tables, confidence(numbers));
      const slice = await takeSlice(pack, { ...wanted, budget: pack.metadata.nodes });
      const [field] = slice.fields as [NumberField];
      const nearest = (node: number): number =>
        !Number.isNaN(numbers[node]!) || node === 0 ? numbers[node]! : nearest(parent[node]!);
      const isBelow = (node: number, top: number): boolean => node === top || (node > 0 && isBelow(parent[node]!, top));
      for (let row = 0; row < slice.rows; row++) {
        const top = tree.order[row]!;
        const first = new Map<number, number>();
        for (let node = 0; node < parent.length; node++) {
          const keyword = tree.keyword[node]!;
          if (keyword >= 0 && isBelow(node, top) && !first.has(keyword)) first.set(keyword, nearest(node));
        }
        const known = [...first.values()].filter((value) => !Number.isNaN(value));
        const own = tree.keyword[top]! >= 0 ? nearest(top) : numbers[top]!;
        const mean = known.length > 0 ? known.reduce((sum, value) => sum + value) / known.length : unknown;
        expect(field.known[row]).toBe(known.length);
        expect(field.value[row]).toBe(Number.isNaN(own) ? mean : own);
      }
    }),
    { numRuns: sampled(200) },
  );
});
