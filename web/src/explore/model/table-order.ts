import { compareRanked } from '@kc/pack/slice/child-ranking';
import { namedValue } from '../format/figure-text.ts';
import { fieldName, figuresOf, isFieldKey, type Metric } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';

/** Sorts the loaded children of a row in an order that differs from the pack order. */
export type ChildOrder = (rows: Int32Array) => Int32Array;
export type TableColumn = 'name' | 'type' | Metric;
export type TableSort = { readonly by: TableColumn; readonly descending: boolean } | undefined;

/**
 * Sorts siblings by a column. Unknown values come last in both directions, as do counts of excluded nodes. Undefined
 * keeps the pack order.
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
 * The children of a row in table order, as far as the order is known: all children if the branch is fully loaded,
 * otherwise the ranked ones. Before any child is ranked, the loaded children in pack order.
 *
 * @param ranked by row, how many children are loaded from the start of that order
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

/**
 * The next sort order when a column header is clicked: numbers start descending and texts ascending, then the reverse,
 * then the pack order.
 */
export function nextSort(sort: TableSort, by: TableColumn, isText: boolean): TableSort {
  const first = !isText;
  if (sort?.by !== by) return { by, descending: first };
  return sort.descending === first ? { by, descending: !first } : undefined;
}
