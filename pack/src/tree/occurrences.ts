import { createCommonAncestor } from './ancestors.ts';

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

/** The keywords of a tree, and where each of their occurrences counts. */
export type Occurrences = {
  readonly branches: Branches;
  /** The row of the parent, rows in document order. */
  readonly parent: Uint32Array;
  /** The keyword number of each node, -1 for none. */
  readonly keyword: Int32Array;
  /**
   * By node: the innermost branch in which its own values count, which is the node itself or the parent of a leaf; -1
   * if it is not a keyword. Empty if there are no values to add up.
   */
  readonly place: Int32Array;
  /** Occurrences after the first of their keyword, each with the branch at and above which it does not count again. */
  readonly repeatNode: Uint32Array;
  readonly repeatBranch: Uint32Array;
};

/** The previous occurrence of each node's keyword, -1 for none. Nodes are in document order. */
export function previousNodes(keyword: Int32Array, distinct: number): Int32Array {
  const last = new Int32Array(distinct).fill(-1);
  const previous = new Int32Array(keyword.length).fill(-1);
  for (let node = 0; node < keyword.length; node++) {
    const id = keyword[node]!;
    if (id < 0) continue;
    previous[node] = last[id]!;
    last[id] = node;
  }
  return previous;
}

/**
 * @param distinct the number of distinct keywords
 * @param hasValues whether nodes have values that will be added up
 */
export function findRepeats(
  { branches, parent, keyword }: Pick<Occurrences, 'branches' | 'parent' | 'keyword'>,
  distinct: number,
  hasValues: boolean,
): Occurrences {
  const last = new Int32Array(distinct).fill(-1);
  let count = 0;
  for (let node = 0; node < keyword.length; node++) {
    const id = keyword[node]!;
    if (id < 0) continue;
    if (last[id]! >= 0) count++;
    last[id] = 0;
  }
  const repeatNode = new Uint32Array(count);
  const repeatBranch = new Uint32Array(count);
  if (count > 0) {
    const commonAncestor = createCommonAncestor(parent);
    last.fill(-1);
    let next = 0;
    for (let node = 0; node < keyword.length; node++) {
      const id = keyword[node]!;
      if (id < 0) continue;
      const before = last[id]!;
      last[id] = node;
      if (before < 0) continue;
      repeatNode[next] = node;
      repeatBranch[next++] = branches.of[commonAncestor(before, node)]!;
    }
  }
  const place = hasValues ? placesOf({ branches, parent, keyword }) : new Int32Array(0);
  return { branches, parent, keyword, place, repeatNode, repeatBranch };
}

/** A file with a single node has no branch, so its keyword is in none. */
function placesOf({ branches, parent, keyword }: Pick<Occurrences, 'branches' | 'parent' | 'keyword'>): Int32Array {
  const place = new Int32Array(keyword.length);
  for (let node = 0; node < place.length; node++) {
    const own = branches.of[node]!;
    if (keyword[node]! < 0) place[node] = -1;
    else place[node] = own >= 0 ? own : branches.of[parent[node]!]!;
  }
  return place;
}
