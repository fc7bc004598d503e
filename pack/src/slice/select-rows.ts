import type { WeightColumns } from '../format/weight-columns.ts';
import type { SliceQuery } from './slice.ts';

/** Some rows of a pack, in ascending order and connected. */
export type SelectedRows = {
  readonly rows: Uint32Array;
  /** The index of each row's parent among them; 0 for the first row. */
  readonly parent: Uint32Array;
  /**
   * The rank of each row among its siblings, heaviest first; the same array as `rows` if rows are already in that
   * order.
   */
  readonly order: Uint32Array;
};

/**
 * Selects the rows of a slice: connected, at most `budget`, and the heaviest children of every branch.
 *
 * Rows are assigned one by one, each to the open branch for which the square root of its hidden weight, divided by the
 * number of rows it already has, is greatest. This is like the highest averages method for seats in a parliament. Large
 * branches get more rows, none gets everything, and small ones get more than their share, so the first view shows the
 * structure of the tree. The weight of a node is its share of the requested node's volume, keywords and leaves, a third
 * each, so that it suits every size encoding; the leaves make it greater than zero.
 * Cost: budget · log(open branches), whatever the size of the tree.
 */
export function selectRows(
  weights: Pick<WeightColumns, 'branch' | 'weigh' | 'childCount' | 'child' | 'isReordered'>,
  query: Pick<SliceQuery, 'node' | 'budget' | 'skip'>,
): SelectedRows {
  const { childCount } = weights;
  const { node, budget } = query;
  const weigh = weights.weigh(node);
  // Indices below are in the order in which rows are assigned.
  const rows = new Uint32Array(budget);
  const branches = new Int32Array(budget);
  const links = new Links(budget);
  const places = new Uint32Array(weights.isReordered ? budget : 0);
  /** By row: the number of its children that are assigned or skipped, and its weight without the assigned ones. */
  const assigned = new Uint32Array(budget);
  const hidden = new Float64Array(budget);
  const open = new OpenBranches(budget);
  // A keyword under several children counts once in the branch, so the hidden weight may be below zero.
  const priority = (index: number, shown: number) => Math.sqrt(Math.max(0, hidden[index]!)) / (shown + 1);
  rows[0] = node;
  hidden[0] = weigh(node);
  branches[0] = weights.branch(node);
  if (branches[0]! >= 0) {
    assigned[0] = Math.min(query.skip, childCount[branches[0]!]!);
    if (assigned[0]! < childCount[branches[0]!]!) open.push(0, priority(0, 0));
  }
  let count = 1;
  for (; !open.isEmpty && count < budget; count++) {
    const index = open.first;
    const branch = branches[index]!;
    const child = weights.child(branch, assigned[index]!);
    places[count] = assigned[index]!++;
    links.add(index, count);
    rows[count] = child;
    const weight = weigh(child);
    hidden[count] = weight;
    hidden[index]! -= weight;
    if (assigned[index]! === childCount[branch]!) open.pop();
    else open.lower(priority(index, assigned[index]! - (index === 0 ? query.skip : 0)));
    branches[count] = weights.branch(child);
    if (branches[count]! >= 0) open.push(count, priority(count, 0));
  }
  return links.inPackOrder(rows.subarray(0, count), weights.isReordered ? places : undefined);
}

/** The parent links of the assigned rows. */
class Links {
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #next: Int32Array;

  constructor(budget: number) {
    this.#first = new Int32Array(budget).fill(-1);
    this.#last = new Int32Array(budget);
    this.#next = new Int32Array(budget).fill(-1);
  }

  add(parent: number, child: number): void {
    if (this.#first[parent]! < 0) this.#first[parent] = child;
    else this.#next[this.#last[parent]!] = child;
    this.#last[parent] = child;
  }

  /** Sorts the rows into pack order, which is breadth first: the children of each row follow in the order of their parents. */
  inPackOrder(assigned: Uint32Array, places: Uint32Array | undefined): SelectedRows {
    const count = assigned.length;
    const sorted = new Uint32Array(count);
    const parent = new Uint32Array(count);
    const rows = new Uint32Array(count);
    for (let at = 0, end = 1; at < count; at++) {
      rows[at] = assigned[sorted[at]!]!;
      const start = end;
      for (let child = this.#first[sorted[at]!]!; child >= 0; child = this.#next[child]!) {
        sorted[end] = child;
        parent[end++] = at;
      }
      if (places && end - start > 1) sortByRow(sorted.subarray(start, end), assigned);
    }
    return { rows, parent, order: places ? sorted.map((index) => places[index]!) : rows };
  }
}

/** Most siblings are sorted already, so this is checked first. */
function sortByRow(indexes: Uint32Array, row: Uint32Array): void {
  for (let at = 1; at < indexes.length; at++) {
    if (row[indexes[at]!]! > row[indexes[at - 1]!]!) continue;
    indexes.sort((one, other) => row[one]! - row[other]!);
    return;
  }
}

/** The branches that may get more children, highest priority first: a binary heap in columns. */
class OpenBranches {
  readonly #priority: Float64Array;
  readonly #branch: Uint32Array;
  #size = 0;

  /** @param capacity the maximum number of branches */
  constructor(capacity: number) {
    this.#priority = new Float64Array(capacity);
    this.#branch = new Uint32Array(capacity);
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  push(branch: number, priority: number): void {
    let at = this.#size++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(priority, branch, above)) break;
      this.#move(above, at);
      at = above;
    }
    this.#priority[at] = priority;
    this.#branch[at] = branch;
  }

  /** The branch with the highest priority; on a tie, the first one in the tree. */
  get first(): number {
    return this.#branch[0]!;
  }

  /** Removes the first branch. */
  pop(): void {
    const last = --this.#size;
    this.#sink(this.#branch[last]!, this.#priority[last]!);
  }

  /** Lowers the priority of the first branch. */
  lower(priority: number): void {
    this.#sink(this.#branch[0]!, priority);
  }

  /** Puts a branch in place of the first and moves it down to its position. */
  #sink(branch: number, priority: number): void {
    const size = this.#size;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= size) break;
      if (below + 1 < size && this.#isBefore(this.#priority[below + 1]!, this.#branch[below + 1]!, below)) below++;
      if (this.#isBefore(priority, branch, below)) break;
      this.#move(below, at);
      at = below;
    }
    this.#priority[at] = priority;
    this.#branch[at] = branch;
  }

  #isBefore(priority: number, branch: number, at: number): boolean {
    const other = this.#priority[at]!;
    return priority > other || (priority === other && branch < this.#branch[at]!);
  }

  #move(from: number, to: number): void {
    this.#priority[to] = this.#priority[from]!;
    this.#branch[to] = this.#branch[from]!;
  }
}
