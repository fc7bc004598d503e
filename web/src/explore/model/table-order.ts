import { compareRanked } from '@kc/pack/slice/child-ranking';
import { namedValue } from '../format/figure-text.ts';
import { fieldName, figuresOf, isFieldKey, type Metric } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';

/** Puts the held children of a row in another order than the pack's. */
export type ChildOrder = (rows: Int32Array) => Int32Array;
export type TableColumn = 'name' | 'type' | Metric;
export type TableSort = { readonly by: TableColumn; readonly descending: boolean } | undefined;

/**
 * Siblings by a column; unknown values, and counts of what a filter leaves out, come last either way. Undefined keeps the
 * pack's order.
 */
export function childOrder(tree: LoadedTree, sort: TableSort): ChildOrder | undefined {
  if (!sort) return undefined;
  const { descending } = sort;
  const by = (value: (row: number) => number | string) => (rows: Int32Array) =>
    rows.toSorted((a, b) => compareRanked(value(a), value(b), descending));
  if (sort.by === 'name') return by((row) => tree.name(row));
  if (sort.by === 'type') return by((row) => tree.types[tree.type[row]!] ?? '');
  const field = isFieldKey(sort.by) ? tree.field(fieldName(sort.by)) : undefined;
  if (field && field.kind !== 'number') return by((row) => namedValue(field, row));
  const values = field?.value ?? figuresOf(tree, sort.by)?.value;
  return values && by((row) => (tree.isLeftOut(row) ? Number.NaN : values[row]!));
}

/**
 * Children in the order of a table, as far as it is known which come first: all of a branch that is held whole, otherwise
 * those that were ranked, and before any was, the held ones in the pack's order.
 *
 * @param ranked by row, how many of its children are held from the first one on in that order
 */
export function listedChildren(
  tree: LoadedTree,
  sort: TableSort,
  ranked: ReadonlyMap<number, number>,
): (row: number) => Int32Array {
  const order = childOrder(tree, sort);
  return (row) => {
    const held = tree.children(row);
    if (!order) return held;
    if (tree.tail(row).nodes === 0) return order(held);
    const first = ranked.get(row);
    return first === undefined ? held : order(held).subarray(0, first);
  };
}

/** A column's next order on a press of its head: numbers start with the greatest, texts with A, then back to the pack's. */
export function nextSort(sort: TableSort, by: TableColumn, isText: boolean): TableSort {
  const first = !isText;
  if (sort?.by !== by) return { by, descending: first };
  return sort.descending === first ? { by, descending: !first } : undefined;
}
