/** The nodes with children, numbered in document order: a parent has a smaller number than its children. */
export type Branches = {
  readonly count: number;
  /** Branch number by node; -1 for a leaf. */
  readonly of: Int32Array;
  /** The parent of each branch; 0 for the root. */
  readonly parent: Uint32Array;
  readonly childCount: Uint32Array;
};

/**
 * @param parent the row of the parent, rows in document order; 0 for the root
 * @param childCount the number of children of each node
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

/** Adds the value of every branch to its parent, last branch first, so that each value is complete when it is added. */
export function addToAncestors(parent: Uint32Array, values: Uint32Array | Float64Array): void {
  for (let branch = parent.length - 1; branch > 0; branch--) values[parent[branch]!]! += values[branch]!;
}
