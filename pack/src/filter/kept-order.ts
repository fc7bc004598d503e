import { shares, type WeightColumns } from '../format/weight-columns.ts';
import { fates, type KeptTree } from './kept-tree.ts';

/**
 * The weights of what is kept, with children in descending order: by known volume, then keywords, then leaves, then
 * pack order.
 *
 * Leaves are already in that order, because a filter does not change them; only branches move. A branch that has
 * branches among its children is sorted on first use. This takes 4 bytes per kept child, which is reported to {@link
 * onHeld}.
 *
 * @param volumes the sum of the known volumes, by branch
 * @param ownVolumes by row
 */
export function weighKept(
  tree: KeptTree,
  volumes: Float64Array,
  ownVolumes: Float64Array | undefined,
  onHeld: (bytes: number) => void,
): WeightColumns {
  const { fate, branches, leafKeywords } = tree;
  const { starts, firstChild } = branches;
  const ordered = new Map<number, Uint32Array>();
  const branch = (row: number) => (starts[row] === starts[row + 1] ? -1 : starts[row]!);
  const volume = (row: number) => {
    const at = branch(row);
    if (at >= 0) return volumes[at]!;
    return fate[row] === fates.leafKeyword && ownVolumes ? ownVolumes[row]! || 0 : 0;
  };
  const keywords = (row: number) => {
    const at = branch(row);
    return at >= 0 ? tree.keywords[at]! : Number(fate[row] === fates.leafKeyword);
  };
  const leaves = (row: number) => {
    const at = branch(row);
    return at >= 0 ? tree.leaves[at]! : 1;
  };
  const compare = (one: number, other: number) =>
    volume(other) - volume(one) || keywords(other) - keywords(one) || leaves(other) - leaves(one) || one - other;
  /** The same for branches by number, which ascend with their rows. */
  const compareBranches = (one: number, other: number) =>
    volumes[other]! - volumes[one]! ||
    tree.keywords[other]! - tree.keywords[one]! ||
    tree.leaves[other]! - tree.leaves[one]! ||
    one - other;

  function order(at: number): Uint32Array {
    const first = firstChild[at]!;
    const end = first + branches.childCount[at]!;
    const children = new Uint32Array(tree.childCount[at]!);
    const inner = [];
    for (let child = branches.inner[at]!; child < branches.inner[at + 1]!; child++) {
      if (tree.branchFate[child] !== fates.gone) inner.push(child);
    }
    inner.sort(compareBranches);
    let next = 0;
    let taken = 0;
    if (inner.length < children.length) {
      for (let row = first; row < end; row++) {
        if (starts[row] !== starts[row + 1] || fate[row] === fates.gone) continue;
        while (taken < inner.length && compare(branches.rows[inner[taken]!]!, row) < 0) {
          children[next++] = branches.rows[inner[taken++]!]!;
        }
        children[next++] = row;
      }
    }
    while (taken < inner.length) children[next++] = branches.rows[inner[taken++]!]!;
    onHeld(children.byteLength);
    return children;
  }
  /** Whether all kept children are keywords without children. */
  const isPlain = (at: number) => leafKeywords.starts[at + 1]! - leafKeywords.starts[at]! === tree.childCount[at];
  const childrenOf = (at: number) => {
    const start = leafKeywords.starts[at]!;
    const end = leafKeywords.starts[at + 1]!;
    if (isPlain(at)) return leafKeywords.rows.subarray(start, end);
    const found = ordered.get(at) ?? order(at);
    ordered.set(at, found);
    return found;
  };
  return {
    branch: (row) => {
      const at = branch(row);
      return at >= 0 && tree.childCount[at]! > 0 ? at : -1;
    },
    volume,
    keywords,
    leaves,
    weigh(below) {
      const { ofVolume, ofKeyword, ofLeaf } = shares({ volume, keywords, leaves }, below);
      return (row) => volume(row) * ofVolume + keywords(row) * ofKeyword + leaves(row) * ofLeaf;
    },
    childCount: tree.childCount,
    child: (at, nth) => (isPlain(at) ? leafKeywords.rows[leafKeywords.starts[at]! + nth]! : childrenOf(at)[nth]!),
    childrenBefore: (at, child) => Math.max(0, childrenOf(at).indexOf(child)),
    isReordered: true,
  };
}
