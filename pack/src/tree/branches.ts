/** The nodes with children, numbered in document order: a parent's number is smaller than its children's. */
export type Branches = {
  readonly count: number;
  /** Node → its branch; -1 for a leaf. */
  readonly of: Int32Array;
  /** Branch → branch of its parent; the root's is 0. */
  readonly parent: Uint32Array;
  readonly childCount: Uint32Array;
};

/**
 * @param parent row of the parent, rows in document order; the root's is 0
 * @param childCount children of each node
 */
export function numberBranches(parent: Uint32Array, childCount: Uint32Array): Branches {
  const of = new Int32Array(parent.length).fill(-1);
  let count = 0;
  for (let node = 0; node < of.length; node++) if (childCount[node]! > 0) of[node] = count++;
  const above = new Uint32Array(count);
  const children = new Uint32Array(count);
  for (let node = 0; node < of.length; node++) {
    const branch = of[node]!;
    if (branch < 0) continue;
    above[branch] = of[parent[node]!]!;
    children[branch] = childCount[node]!;
  }
  return { count, of, parent: above, childCount: children };
}

/** Adds every branch's value to its parent's, the last ones first, so that each one is complete when it is added. */
export function addToAncestors(parent: Uint32Array, values: Uint32Array | Float64Array): void {
  for (let branch = parent.length - 1; branch > 0; branch--) values[parent[branch]!]! += values[branch]!;
}
