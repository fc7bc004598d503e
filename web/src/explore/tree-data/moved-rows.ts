import type { LoadedTree } from './loaded-tree.ts';

/** Where rows of what a tree held before are in what it holds now. */
export type Moved = {
  /** The pack row of what a row was. */
  readonly nodeOf: (row: number) => number;
  /** -1 where the node is not held now; -1 of -1. */
  readonly exactly: (row: number) => number;
  /** The row of its nearest ancestor that is held now, itself first; -1 of -1. */
  readonly nearest: (row: number) => number;
};

/** Remembers which row is which node. Ask what it returns after the tree has become another one, and before it grows. */
export function rememberRows(tree: LoadedTree): Moved {
  // These columns stay as they are: the tree becomes another one with columns of its own.
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
