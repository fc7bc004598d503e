/** The children of every node. Those of `node` start at `list[start[node]]`, initially in document order. */
export type Children = {
  readonly count: Uint32Array;
  readonly start: Uint32Array;
  /** Every node except the root. */
  readonly list: Uint32Array;
};

/** @param parent the row of the parent, rows in document order; 0 for the root */
export function childrenOf(parent: Uint32Array): Children {
  const count = new Uint32Array(parent.length);
  for (let node = 1; node < parent.length; node++) count[parent[node]!]!++;
  // Initially the end of each node's children. Filling the list from the back turns it into their start.
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
