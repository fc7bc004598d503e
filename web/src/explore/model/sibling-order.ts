import { figuresOf } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';
import type { ExplorerState } from './explorer-state.ts';
import { weighChildren } from './weights.ts';

type Look = Pick<ExplorerState, 'view' | 'size' | 'x'>;

/**
 * The loaded children of a row in the order in which the current view lays them out: by the size metric, largest first,
 * with unknown and zero last; in Opportunity from left to right; in Tree and Table in the order of the tree.
 */
export function childrenInView(tree: LoadedTree, row: number, { view, size, x }: Look): Int32Array {
  const rows = tree.children(row);
  if (view === 'tree' || view === 'table') return rows;
  if (view === 'opportunity') {
    const value = figuresOf(tree, x)?.value;
    return value ? rows.toSorted((a, b) => compareKnown(value[a]!, value[b]!)) : rows;
  }
  const { rows: heavy, weightless } = weighChildren(tree, row, size);
  return Int32Array.of(...heavy, ...weightless);
}

/** Ascending, NaN last. */
const compareKnown = (a: number, b: number): number => Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || a - b || 0;

/** The loaded siblings of a row in that order, and the row's index among them. The root has no siblings. */
export function siblingsInView(
  tree: LoadedTree,
  row: number,
  look: Look,
): { readonly rows: Int32Array; readonly at: number } {
  const parent = tree.parent[row] ?? none;
  const rows = parent === none ? Int32Array.of(row) : childrenInView(tree, parent, look);
  return { rows, at: rows.indexOf(row) };
}
