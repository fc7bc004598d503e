import { type NumberColumn, noRow, numberKinds, optionalColumns, partsOf } from '../format/pack-format.ts';
import type { RowSource } from '../format/pack-reader.ts';
import { weigherOf } from '../format/weight-columns.ts';
import { selectRows } from '../slice/select-rows.ts';
import type { Slice } from '../slice/slice.ts';
import { gatherSlice } from '../slice/take-slice.ts';
import type { Tree } from '../tree/tree.ts';
import { type branchValues, type Fill, fieldsOf, type Numbers, optionalOf, type rowValues } from './pack-values.ts';

/** The values of a tree's columns, by node row and by branch in document order. */
export type TreeValues = {
  readonly rows: ReturnType<typeof rowValues>;
  readonly branches: ReturnType<typeof branchValues>;
};

/**
 * The slice of the root that a pack of this tree will return, computed before the pack exists.
 *
 * @param firstChild the pack row of each branch's first child, by branch in document order
 * @param budget the maximum number of rows
 */
export async function sliceTree(
  tree: Tree,
  values: TreeValues,
  firstChild: Uint32Array,
  budget: number,
): Promise<Slice> {
  const { order, rollUp, keyword, own } = tree;
  const branch = (row: number) => rollUp.branch[order[row]!]!;
  const ofLeaf = (row: number) => (keyword[order[row]!]! >= 0 ? own.volume?.[order[row]!] || 0 : 0);
  const of = {
    volume: (row: number) => (branch(row) >= 0 ? (rollUp.volume?.sum[branch(row)] ?? 0) : ofLeaf(row)),
    keywords: (row: number) => (branch(row) >= 0 ? rollUp.keywords[branch(row)]! : Number(keyword[order[row]!]! >= 0)),
    leaves: (row: number) => (branch(row) >= 0 ? rollUp.leaves[branch(row)]! : 1),
  };
  const selected = selectRows(
    {
      branch,
      child: (at, nth) => firstChild[at]! + nth,
      isReordered: false,
      childCount: rollUp.childCount,
      weigh: weigherOf(of),
    },
    { node: 0, budget: Math.min(budget, order.length), skip: 0 },
  );
  return gatherSlice(rowsOfTree(tree, values), selected);
}

/** Behaves like an open pack, except that branches are numbered in document order. */
function rowsOfTree(tree: Tree, { rows, branches }: TreeValues): RowSource {
  const { order, rollUp, tables } = tree;
  const fields = fieldsOf(tree);
  const parts = new Map(
    partsOf({ optional: optionalOf(tree, optionalColumns), fields }).map((part) => [part.name, part]),
  );
  const fillOf = (name: NumberColumn): Fill | undefined =>
    rows[name as keyof typeof rows]?.nodes ?? branches[name as keyof typeof branches];
  return {
    metadata: { nodes: order.length, types: tables.types, fields },
    async gather(name, wanted) {
      const part = parts.get(name);
      if (!part) return undefined as never;
      const { array, perRow } = numberKinds[part.kind as keyof typeof numberKinds];
      const values: Numbers = new array(perRow * wanted.length);
      fillOf(name)!(values, part.over === 'rows' ? wanted.map((row) => order[row]!) : wanted);
      return values as never;
    },
    async gatherTexts(_name, wanted) {
      const { names, nameStart, nameLength } = tables.nodes;
      const start = new Float64Array(wanted.length + 1);
      for (const [index, row] of wanted.entries()) start[index + 1] = start[index]! + nameLength[order[row]!]!;
      const bytes = new Uint8Array(start[wanted.length]!);
      for (const [index, row] of wanted.entries()) {
        const from = nameStart[order[row]!]!;
        bytes.set(names.subarray(from, from + nameLength[order[row]!]!), start[index]);
      }
      return { start, bytes };
    },
    branchesOf: async (wanted) =>
      wanted.map((row) => (rollUp.branch[order[row]!]! < 0 ? noRow : rollUp.branch[order[row]!]!)),
  };
}
