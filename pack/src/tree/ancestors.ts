/**
 * Lowest common ancestors in a tree of any depth, without recursion.
 *
 * Every node has one jump to an ancestor, chosen so that any ancestor is O(log depth) jumps away.
 * Cost: 8 bytes per node; O(log depth) per query.
 * Source: Myers, "An applicative random-access stack", Information Processing Letters 17(5), 1983.
 *
 * @param parent the row of the parent, smaller than the row itself; 0 for the root
 */
export function createCommonAncestor(parent: Uint32Array): (one: number, other: number) => number {
  const ancestors = createAncestors(parent);
  ancestors.prepare(0, parent.length);
  return ancestors.common;
}

/** {@link createCommonAncestor} in batches: call `prepare` for all rows in order before the first query. */
export function createAncestors(parent: Uint32Array) {
  const depth = new Uint32Array(parent.length);
  const jump = new Uint32Array(parent.length);
  return {
    prepare(from: number, end: number): void {
      for (let node = Math.max(1, from); node < end; node++) {
        const above = parent[node]!;
        depth[node] = depth[above]! + 1;
        const far = jump[above]!;
        const isPair = depth[above]! - depth[far]! === depth[far]! - depth[jump[far]!]!;
        jump[node] = isPair ? jump[far]! : above;
      }
    },
    common(one: number, other: number): number {
      let [low, high] = depth[one]! >= depth[other]! ? [one, other] : [other, one];
      while (depth[low]! > depth[high]!) low = depth[jump[low]!]! >= depth[high]! ? jump[low]! : parent[low]!;
      // At equal depth, both jumps have the same length.
      while (low !== high) {
        const isBelow = jump[low] !== jump[high];
        low = isBelow ? jump[low]! : parent[low]!;
        high = isBelow ? jump[high]! : parent[high]!;
      }
      return low;
    },
  };
}
