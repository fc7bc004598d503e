import type { LoadedTree } from './loaded-tree.ts';

/** Maps rows of the previous content of a tree to rows of the current one. */
export type Moved = {
  /** The pack row of a previous row. */
  readonly nodeOf: (row: number) => number;
  /** -1 if the node is no longer loaded; -1 for -1. */
  readonly exactly: (row: number) => number;
  /** The row of its nearest ancestor that is loaded now, starting with itself; -1 for -1. */
  readonly nearest: (row: number) => number;
};

/** Remembers which node each row is. Use the result after the tree has changed its content, and before it grows. */
export function rememberRows(tree: LoadedTree): Moved {
  // These arrays do not change: new content has columns of its own.
  const { node, parent, size } = tree;
  const isRow = (row: number) => row >= 0 && row < size;
  const exactly = (row: number) => (isRow(row) ? tree.rowOf(node[row]!) : -1);
  const nearest = (row: number): number => {
    let at = row;
    while (isRow(at) && exactly(at) === -1) at = parent[at]!;
    return exactly(at);
  };
  return { nodeOf: (row) => node[row]!, exactly, nearest };
}
