import { type WeightColumns, weigherOf } from '../format/weight-columns.ts';
import { fates, type KeptTree } from './kept-tree.ts';

/**
 * The weights of what is kept, with children in descending order: by known volume, then keywords, then leaves, then
 * pack order.
 *
 * Leaves are already in that order, because a filter does not change them; only branches move. A branch that has
 * branches among its children is sorted on first use, and the order is cached: 4 bytes per kept child.
 *
 * @param volumes the sum of the known volumes, by branch
 * @param ownVolumes by row; absent if the file has no volumes
 * @param onCached called with the number of bytes each time an order is cached
 */
export function weighKept(
  tree: KeptTree,
  volumes: Float64Array,
  ownVolumes: Float64Array | undefined,
  onCached: (bytes: number) => void,
): WeightColumns {
  const { leafKeywords } = tree;
  const figures = keptFigures(tree, volumes, ownVolumes);
  const { branch, volume, keywords, leaves } = figures;
  const orders = new Map<number, Uint32Array>();
  /** Whether all kept children of a branch are keywords without children. */
  const isPlain = (at: number) => leafKeywords.starts[at + 1]! - leafKeywords.starts[at]! === tree.childCount[at];
  const childrenOf = (at: number) => {
    if (isPlain(at)) return leafKeywords.rows.subarray(leafKeywords.starts[at]!, leafKeywords.starts[at + 1]!);
    const cached = orders.get(at);
    if (cached) return cached;
    const ordered = orderChildren(tree, figures, volumes, at);
    orders.set(at, ordered);
    onCached(ordered.byteLength);
    return ordered;
  };
  return {
    branch: (row) => {
      const at = branch(row);
      return at >= 0 && tree.childCount[at]! > 0 ? at : -1;
    },
    volume,
    keywords,
    leaves,
    weigh: weigherOf(figures),
    childCount: tree.childCount,
    child: (at, nth) => (isPlain(at) ? leafKeywords.rows[leafKeywords.starts[at]! + nth]! : childrenOf(at)[nth]!),
    childrenBefore: (at, child) => Math.max(0, childrenOf(at).indexOf(child)),
    isReordered: true,
  };
}

/** The figures of rows, from the sums of branches and the own values of leaves. */
type KeptFigures = Pick<WeightColumns, 'volume' | 'keywords' | 'leaves'> & {
  /** The branch of a row in the pack, even if none of its children is kept; -1 for a row without children. */
  readonly branch: (row: number) => number;
};

function keptFigures(tree: KeptTree, volumes: Float64Array, ownVolumes: Float64Array | undefined): KeptFigures {
  const { fate } = tree;
  const { starts } = tree.branches;
  const branch = (row: number) => (starts[row] === starts[row + 1] ? -1 : starts[row]!);
  return {
    branch,
    volume(row) {
      const at = branch(row);
      if (at >= 0) return volumes[at]!;
      return fate[row] === fates.leafKeyword && ownVolumes ? ownVolumes[row]! || 0 : 0;
    },
    keywords(row) {
      const at = branch(row);
      return at >= 0 ? tree.keywords[at]! : Number(fate[row] === fates.leafKeyword);
    },
    leaves(row) {
      const at = branch(row);
      return at >= 0 ? tree.leaves[at]! : 1;
    },
  };
}

/** The rows of a branch's kept children, the heaviest first: sorts its branches and merges them with its leaves. */
function orderChildren(
  tree: KeptTree,
  { volume, keywords, leaves }: KeptFigures,
  volumes: Float64Array,
  at: number,
): Uint32Array {
  const { fate, branches } = tree;
  const { starts } = branches;
  const compareRows = (one: number, other: number) =>
    volume(other) - volume(one) || keywords(other) - keywords(one) || leaves(other) - leaves(one) || one - other;
  /** The order of `compareRows`, for branch numbers, which ascend with their rows. */
  const compareBranches = (one: number, other: number) =>
    volumes[other]! - volumes[one]! ||
    tree.keywords[other]! - tree.keywords[one]! ||
    tree.leaves[other]! - tree.leaves[one]! ||
    one - other;

  const inner = [];
  for (let child = branches.inner[at]!; child < branches.inner[at + 1]!; child++) {
    if (tree.branchFate[child] !== fates.gone) inner.push(child);
  }
  inner.sort(compareBranches);

  const children = new Uint32Array(tree.childCount[at]!);
  let next = 0;
  let nextInner = 0;
  if (inner.length < children.length) {
    const first = branches.firstChild[at]!;
    const end = first + branches.childCount[at]!;
    for (let row = first; row < end; row++) {
      if (starts[row] !== starts[row + 1] || fate[row] === fates.gone) continue;
      while (nextInner < inner.length && compareRows(branches.rows[inner[nextInner]!]!, row) < 0) {
        children[next++] = branches.rows[inner[nextInner++]!]!;
      }
      children[next++] = row;
    }
  }
  while (nextInner < inner.length) children[next++] = branches.rows[inner[nextInner++]!]!;
  return children;
}
