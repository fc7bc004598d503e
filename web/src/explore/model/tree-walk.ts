import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';

/** From the root to the row itself. */
export function pathTo(tree: LoadedTree, row: number): number[] {
  const path: number[] = [];
  for (let at = row; at > none && at < tree.size; at = tree.parent[at]!) path.push(at);
  return path.reverse();
}

/** The row itself, or the nearest one around it that a filter does not leave out. */
export function keptAround(tree: LoadedTree, row: number): number {
  let at = row;
  while (at > none && tree.isLeftOut(at)) at = tree.parent[at]!;
  return at;
}

/** Whether `row` lies in the branch of `ancestor`; a row lies in its own. */
export function isWithin(tree: LoadedTree, row: number, ancestor: number): boolean {
  let at = row;
  while (at > ancestor) at = tree.parent[at]!;
  return at === ancestor;
}

/** The held children of the row's parent and the row's place among them; the root stands alone. */
export function siblingsOf(tree: LoadedTree, row: number): { readonly rows: Int32Array; readonly at: number } {
  const parent = tree.parent[row] ?? none;
  const rows = parent === none ? Int32Array.of(row) : tree.children(parent);
  return { rows, at: rows.indexOf(row) };
}
