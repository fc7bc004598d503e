import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { tablesArbitrary } from '../../test/support/tables.ts';
import { arraySink, arraySource, tablesOf } from '../../test/support/trees.ts';
import type { PackField } from '../format/pack-format.ts';
import type { CategoryField, NumberField, SetField } from '../slice/slice.ts';
import { decodeSlice, encodeSlice } from '../slice/slice-wire.ts';
import { takeSlice } from '../slice/take-slice.ts';
import type { UploadField, UploadTables } from '../upload/upload-tables.ts';
import { checkPack } from '../write/pack-check.ts';
import { writePack } from '../write/pack-writer.ts';
import { buildTree } from './tree-builder.ts';

const unknown = Number.NaN;

/** Every row of the pack of a tree with these fields, decoded from the wire format. */
async function sliceWith(tables: UploadTables, fields: readonly UploadField[]) {
  const sink = arraySink();
  const tree = buildTree(tables, [1, 2], fields);
  await writePack(tree, '00'.repeat(32), sink);
  const pack = await checkPack(arraySource(sink.bytes()));
  const names = fields.map((field) => field.name);
  const slice = await takeSlice(pack, { node: 0, budget: pack.metadata.nodes, skip: 0, fields: names });
  return { tree, pack, slice: decodeSlice(encodeSlice(slice)) };
}

const numberField = (name: string, rollUp: 'sum' | 'mean', nodes: number[], keywords?: number[]): UploadField => ({
  name,
  kind: 'number',
  rollUp,
  nodes: Float64Array.from(nodes),
  keywords: keywords && Float64Array.from(keywords),
});

test('a number is summed or averaged over the keywords that have it, with their count', async () => {
  const tables = tablesOf('r (a:cluster (x y) z)', 'x y');
  const { slice } = await sliceWith(tables, [
    numberField('Traffic', 'sum', [unknown, 9, unknown, 5, unknown], [10, 20]),
    numberField('Score', 'mean', [unknown, unknown, 1, 2, unknown]),
  ]);
  // Rows: r, a, z, x, y. The entry says 10 for x; y says 5 itself; the group's own value is in no sum.
  expect(slice.fields).toEqual([
    {
      name: 'Traffic',
      kind: 'number',
      rollUp: 'sum',
      value: Float64Array.of(15, 15, unknown, 10, 5),
      known: Uint32Array.of(2, 2, 0, 1, 1),
    },
    {
      name: 'Score',
      kind: 'number',
      rollUp: 'mean',
      value: Float64Array.of(1.5, 1.5, unknown, 1, 2),
      known: Uint32Array.of(2, 2, 0, 1, 1),
    },
  ]);
});

test('a category shows the most common value, its count, and how many keywords have any', async () => {
  const tables = tablesOf('r (a:cluster (x y z) b:cluster (v w))');
  const nodes = Uint8Array.of(0, 2, 1, 1, 2, 0, 0, 2);
  const field: UploadField = {
    name: 'country',
    kind: 'category',
    values: ['', 'us', 'gb'],
    nodes,
    keywords: undefined,
  };
  const { slice } = await sliceWith(tables, [field]);
  const [country] = slice.fields as [CategoryField];
  expect(country.values).toEqual(['', 'us', 'gb']);
  const of = (name: string) => {
    const row = Array.from({ length: slice.rows }, (_, at) => at).find(
      (at) => new TextDecoder().decode(slice.names.subarray(slice.nameStart[at], slice.nameStart[at + 1])) === name,
    )!;
    return [country.values[country.value[row]!], country.count[row], country.known[row]];
  };
  expect(of('r')).toEqual(['us', 2, 4]);
  expect(of('a')).toEqual(['us', 2, 3]);
  expect(of('b')).toEqual(['gb', 1, 1]);
  expect(of('v')).toEqual(['', 0, 0]);
});

/** Fields for any tables: a number, a category and a set, each known or unknown for nodes and entries. */
const withFields = tablesArbitrary.chain((tables) => {
  const column = (rows: number) => fc.array(fc.constantFrom(unknown, 0, 1, 2, 5), { minLength: rows, maxLength: rows });
  const codes = (rows: number) => fc.array(fc.nat(3), { minLength: rows, maxLength: rows });
  const lists = (rows: number) =>
    fc.array(fc.oneof(fc.constant<number[]>([]), fc.subarray([...members])), { minLength: rows, maxLength: rows });
  const [nodes, keywords] = [tables.nodes.rows, tables.keywords.rows];
  return fc.record({
    tables: fc.constant(tables),
    numbers: fc.tuple(column(nodes), column(keywords)),
    codes: fc.tuple(codes(nodes), codes(keywords)),
    sets: fc.tuple(lists(nodes), lists(keywords)),
  });
});

/** Two members in each of the two words of a set. */
const members: readonly number[] = [1, 2, 33, 64];
const setsOf = (lists: readonly (readonly number[])[]) =>
  Uint32Array.from(
    lists.flatMap((list) =>
      [0, 32].map((first) =>
        list.reduce((bits, at) => bits + (at > first && at <= first + 32 ? 2 ** (at - first - 1) : 0), 0),
      ),
    ),
  );

test('every branch of any tree has the same sums and most common values as a naive count', async () => {
  await fc.assert(
    fc.asyncProperty(withFields, async ({ tables, numbers, codes, sets }) => {
      const values = ['', 'p', 'q', 's'];
      const { tree, slice, pack } = await sliceWith(tables, [
        numberField('n', 'sum', ...numbers),
        { name: 'c', kind: 'category', values, nodes: Uint8Array.from(codes[0]), keywords: Uint8Array.from(codes[1]) },
        {
          ...{ name: 's', kind: 'set' as const, values: ['', ...Array.from({ length: 64 }, (_, at) => `m${at + 1}`)] },
          ...{ nodes: setsOf(sets[0]), keywords: setsOf(sets[1]) },
        },
      ]);
      const [n, c, s] = slice.fields as [NumberField, CategoryField, SetField];
      for (let row = 0; row < slice.rows; row++) {
        const keywords = distinctUnder(tree.order[row]!, tables, tree.keyword);
        const ofEntry = (node: number) => tree.entry[tree.keyword[node]!]!;
        const numberOf = (node: number) =>
          Number.isNaN(numbers[0][node]!) && ofEntry(node) >= 0 ? numbers[1][ofEntry(node)]! : numbers[0][node]!;
        const known = keywords.map(numberOf).filter((value) => !Number.isNaN(value));
        expect(n.known[row]).toBe(known.length);
        expect(n.value[row]).toBe(known.length > 0 ? known.reduce((sum, value) => sum + value) : unknown);
        const codeOf = (node: number) => codes[0][node] || (ofEntry(node) >= 0 ? codes[1][ofEntry(node)]! : 0);
        const counts = values.map((_, code) => keywords.filter((node) => codeOf(node) === code).length);
        const best = Math.max(...counts.slice(1));
        expect(c.known[row]).toBe(keywords.length - counts[0]!);
        expect(c.count[row]).toBe(best);
        expect(c.value[row]).toBe(best > 0 ? counts.indexOf(best, 1) : 0);
        const listOf = (node: number) =>
          sets[0][node]!.length > 0 || ofEntry(node) < 0 ? sets[0][node]! : sets[1][ofEntry(node)]!;
        const having = members.map((member) => keywords.filter((node) => listOf(node).includes(member)).length);
        const most = Math.max(...having);
        const isLeaf = !tables.nodes.parent.some((parent, node) => node > 0 && parent === tree.order[row]);
        const shown = isLeaf ? keywords.flatMap(listOf) : most > 0 ? [members[having.indexOf(most)]!] : [];
        expect(s.known[row]).toBe(keywords.filter((node) => listOf(node).length > 0).length);
        expect(s.count[row]).toBe(most);
        expect([...s.value.subarray(2 * row, 2 * row + 2)]).toEqual([...setsOf([shown])]);
        if (row === 0) {
          const { counts: ofRoot } = pack.metadata.fields[2] as Extract<PackField, { kind: 'set' }>;
          expect(members.map((member) => ofRoot[member])).toEqual(having);
          expect(ofRoot.reduce((sum, count) => sum + count)).toBe(having.reduce((sum, count) => sum + count));
        }
        if (row === 0) expect(pack.metadata.fields[1]).toMatchObject({ counts: [0, ...counts.slice(1)] });
      }
      const said = numbers.flat().filter((value) => !Number.isNaN(value));
      expect(pack.metadata.fields[0]).toMatchObject({ least: said.length > 0 ? Math.min(...said) : 0 });
    }),
    { numRuns: sampled(200) },
  );
});

/** The first occurrence of each keyword in a branch, including its own node. */
function distinctUnder(top: number, { nodes }: UploadTables, keyword: Int32Array): number[] {
  const isBelow = (node: number): boolean => node === top || (node > 0 && isBelow(nodes.parent[node]!));
  const first = new Map<number, number>();
  for (let node = 0; node < nodes.rows; node++) {
    if (keyword[node]! >= 0 && isBelow(node) && !first.has(keyword[node]!)) first.set(keyword[node]!, node);
  }
  return [...first.values()];
}
