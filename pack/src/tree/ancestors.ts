/**
 * Lowest common ancestors in a tree of any depth, without recursion.
 *
 * Every node keeps one jump to an ancestor chosen so that any ancestor is O(log depth) jumps away.
 * Cost: 8 bytes a node; O(log depth) a question.
 * Source: Myers, "An applicative random-access stack", Information Processing Letters 17(5), 1983.
 *
 * @param parent row of the parent, smaller than the row itself; the root's is 0
 */
export function createCommonAncestor(parent: Uint32Array): (one: number, other: number) => number {
  const depth = new Uint32Array(parent.length);
  const jump = new Uint32Array(parent.length);
  for (let node = 1; node < parent.length; node++) {
    const above = parent[node]!;
    depth[node] = depth[above]! + 1;
    const far = jump[above]!;
    const isPair = depth[above]! - depth[far]! === depth[far]! - depth[jump[far]!]!;
    jump[node] = isPair ? jump[far]! : above;
  }
  return (one, other) => {
    let [low, high] = depth[one]! >= depth[other]! ? [one, other] : [other, one];
    while (depth[low]! > depth[high]!) low = depth[jump[low]!]! >= depth[high]! ? jump[low]! : parent[low]!;
    // At equal depth the jumps of both lead equally far.
    while (low !== high) {
      const isBelow = jump[low] !== jump[high];
      low = isBelow ? jump[low]! : parent[low]!;
      high = isBelow ? jump[high]! : parent[high]!;
    }
    return low;
  };
}
