import { compareRanked } from '@kc/pack/slice/child-ranking';
import { namedValue } from '../format/figure-text.ts';
import { fieldName, figuresOf, isFieldKey, type Metric } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { SizeBy } from './encodings.ts';

/** Sorts the loaded children of a row. */
type ChildOrder = (rows: Int32Array) => Int32Array;
export type TableColumn = 'name' | 'type' | Metric;
export type TableSort = { readonly by: TableColumn; readonly descending: boolean } | undefined;

/**
 * Sorts siblings by a column. Unknown values, and counts of excluded nodes, come last in both directions. Undefined
 * keeps the order of the pack.
 */
export function childOrder(tree: LoadedTree, sort: TableSort): ChildOrder | undefined {
  if (!sort) return undefined;
  const { descending } = sort;
  const by = (value: (row: number) => number | string) => (rows: Int32Array) =>
    rows.toSorted((a, b) => compareRanked(value(a), value(b), descending));
  // As the server sorts those that are not loaded.
  if (sort.by === 'name') return by((row) => tree.ownName(row));
  if (sort.by === 'type') return by((row) => tree.types[tree.type[row]!] ?? '');
  const field = isFieldKey(sort.by) ? tree.field(fieldName(sort.by)) : undefined;
  if (field && field.kind !== 'number') return by((row) => namedValue(field, row));
  const values = field?.value ?? figuresOf(tree, sort.by)?.value;
  return values && by((row) => (tree.isLeftOut(row) ? Number.NaN : values[row]!));
}

/**
 * Children in the order of a table, as far as the first ones are known: all children of a fully loaded branch, else
 * those that were ranked, and before that the loaded ones in the order of the pack.
 *
 * @param ranked by row: how many children, from the first one on, are loaded in that order
 */
export function listedChildren(
  tree: LoadedTree,
  sort: TableSort,
  ranked: ReadonlyMap<number, number>,
): (row: number) => Int32Array {
  const order = childOrder(tree, sort);
  return (row) => {
    const loaded = tree.children(row);
    if (!order) return loaded;
    if (tree.tail(row).nodes === 0) return order(loaded);
    const first = ranked.get(row);
    return first === undefined ? loaded : order(loaded).subarray(0, first);
  };
}

/**
 * A column's next order when its header is pressed: numbers start with the largest, texts with A, then back to the
 * order of the pack.
 */
export function nextSort(sort: TableSort, by: TableColumn, isText: boolean): TableSort {
  const first = !isText;
  if (sort?.by !== by) return { by, descending: first };
  return sort.descending === first ? { by, descending: !first } : undefined;
}

/** The figure that the outline shows and is sorted by: the size metric, if it is loaded and ever known. */
export function outlineFigure(tree: LoadedTree, size: SizeBy): Metric {
  if (size !== 'equal' && isKnownOfAny(tree, size)) return size;
  return treeOrder(tree);
}

/**
 * The order of siblings in the outline; undefined if the server already returns them in that order. Beside the rows that
 * a filter excludes it returns them by what they are without the filter, which is not what the outline shows.
 */
export function outlineSort(tree: LoadedTree, size: SizeBy): TableSort {
  const by = outlineFigure(tree, size);
  return by === treeOrder(tree) && !tree.hasLeftOut ? undefined : { by, descending: true };
}

/** The order in which siblings arrive. Source: docs/pack-format.md: volume, or keywords if no volume is known. */
const treeOrder = (tree: LoadedTree): Metric => (tree.size > 0 && tree.volumeKnown[0]! > 0 ? 'volume' : 'keywords');

function isKnownOfAny(tree: LoadedTree, metric: Metric): boolean {
  const figures = tree.size > 0 ? figuresOf(tree, metric) : undefined;
  return figures !== undefined && (figures.known === undefined || figures.known[0]! > 0);
}

/**
 * For branches that are not fully loaded: how many children are loaded in the order of a figure. Not valid for another
 * figure.
 */
export type OutlineRanked = { readonly by: Metric; readonly counts: ReadonlyMap<number, number> };

const nothing: ReadonlyMap<number, number> = new Map();

export const countsBy = (ranked: OutlineRanked | undefined, by: Metric): ReadonlyMap<number, number> =>
  ranked?.by === by ? ranked.counts : nothing;
