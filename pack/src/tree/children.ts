/** The children of every node: those of `node` are in `list` from `start[node]` on, in document order at first. */
export type Children = {
  readonly count: Uint32Array;
  readonly start: Uint32Array;
  /** Every node but the root. */
  readonly list: Uint32Array;
};

/** @param parent row of the parent, rows in document order; the root's is 0 */
export function childrenOf(parent: Uint32Array): Children {
  const count = new Uint32Array(parent.length);
  for (let node = 1; node < parent.length; node++) count[parent[node]!]!++;
  // First where each node's children end; filled from the back, that becomes where they start.
  const start = new Uint32Array(parent.length);
  let end = 0;
  for (let node = 0; node < parent.length; node++) {
    end += count[node]!;
    start[node] = end;
  }
  const list = new Uint32Array(end);
  for (let node = parent.length - 1; node > 0; node--) {
    const above = parent[node]!;
    start[above]! -= 1;
    list[start[above]!] = node;
  }
  return { count, start, list };
}
