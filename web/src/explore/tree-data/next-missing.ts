import type { LoadedTree } from './loaded-tree.ts';

/** Branches with at most this many leaves are requested whole: with their inner nodes they usually fit one slice. */
const wholeBranchLeaves = 10_000;

/**
 * The next request for loading the whole tree: of the branches that fit one slice and the runs of children that are not
 * loaded, the one with the most missing leaves. Undefined if nothing is missing.
 *
 * Cost: two passes over the loaded rows.
 */
export function nextMissing(
  tree: LoadedTree,
  isFutile: (query: { node: number; skip: number }) => boolean,
): { node: number; skip: number } | undefined {
  const missing = missingLeaves(tree);
  let best: { node: number; skip: number } | undefined;
  let most = 0;
  for (let row = 0; row < tree.size; row++) {
    if (missing[row]! <= most) continue;
    const query = requestFor(tree, row);
    if (!query || isFutile(query)) continue;
    best = query;
    most = missing[row]!;
  }
  return best;
}

/** A branch that fits one slice is requested whole; for a larger one, the run of missing children. */
function requestFor(tree: LoadedTree, row: number): { node: number; skip: number } | undefined {
  const node = tree.node[row]!;
  const loaded = tree.loadedChildren(row);
  if (tree.leaves[row]! <= wholeBranchLeaves && loaded === 0) return { node, skip: 0 };
  if (loaded < tree.childCount[row]!) return { node, skip: loaded };
  return tree.leaves[row]! <= wholeBranchLeaves ? { node, skip: 0 } : undefined;
}

/** Number of leaves below each row that are not loaded, summed up the tree. */
function missingLeaves(tree: LoadedTree): Float64Array {
  const missing = new Float64Array(tree.size);
  const parent = tree.parent;
  for (let row = tree.size - 1; row >= 0; row--) {
    missing[row] = missing[row]! + tree.tail(row).leaves;
    if (row > 0) missing[parent[row]!] = missing[parent[row]!]! + missing[row]!;
  }
  return missing;
}
