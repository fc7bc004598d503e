import { none } from '../tree-data/columns.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';

/** The path from the root to the row itself. */
export function pathTo(tree: LoadedTree, row: number): number[] {
  const path: number[] = [];
  for (let at = row; at > none && at < tree.size; at = tree.parent[at]!) path.push(at);
  return path.reverse();
}

/** The row itself, or its nearest ancestor that the filter keeps. */
export function keptAround(tree: LoadedTree, row: number): number {
  let at = row;
  while (at > none && tree.isLeftOut(at)) at = tree.parent[at]!;
  return at;
}

/** Whether `row` is in the branch of `ancestor`, which includes `ancestor` itself. */
export function isWithin(tree: LoadedTree, row: number, ancestor: number): boolean {
  let at = row;
  while (at > ancestor) at = tree.parent[at]!;
  return at === ancestor;
}

/** The loaded children of the row's parent, and the row's index among them; the root is alone. */
export function siblingsOf(tree: LoadedTree, row: number): { readonly rows: Int32Array; readonly index: number } {
  const parent = tree.parent[row] ?? none;
  const rows = parent === none ? Int32Array.of(row) : tree.children(parent);
  return { rows, index: rows.indexOf(row) };
}
