import { firstFrom } from '../format/order-of-numbers.ts';
import { noRow, PackDamaged } from '../format/pack-format.ts';
import type { Numbers } from './pack-values.ts';

/** Branch columns that other columns are compared with. */
export type LoadedColumns = {
  /** The column as an array, which is filled when `check` receives its numbers. */
  column<A extends Numbers>(name: string, array: new (length: number) => A): A;
  check<A extends Numbers>(name: string, array: new (length: number) => A, end?: (found: A) => void): ColumnCheck;
};

/** The check of a column while its numbers arrive, in order. */
export type ColumnCheck = {
  /** @param from the index of the first of these numbers in the column */
  take(numbers: Numbers, from: number): void;
  /** Called at the end of the column. */
  end?(): void;
};

/** Totals of the pack that its tree is checked against. */
type TreeSize = { readonly nodes: number; readonly branches: number; readonly depth: number };

/**
 * The shape of a tree from its `parent` column, which all other columns are compared with.
 *
 * Memory: 16 bytes per branch.
 */
export class TreeShape {
  readonly #size: TreeSize;
  /** By branch: its row, followed by one row past the end. */
  readonly rowOf: Uint32Array;
  readonly firstChild: Uint32Array;
  readonly childCount: Uint32Array;
  /** By branch, the branch of its row's parent; 0 for the root. */
  readonly above: Uint32Array;
  /** The first row of each level. */
  readonly #levels = [0];
  #branches = 0;
  #before = -1;

  constructor(size: TreeSize) {
    this.#size = size;
    this.rowOf = new Uint32Array(size.branches + 1).fill(noRow);
    this.firstChild = new Uint32Array(size.branches);
    this.childCount = new Uint32Array(size.branches);
    this.above = new Uint32Array(size.branches);
  }

  /** Checks that rows are breadth first: the children of each row follow in the order of their parents, without gaps. */
  readonly parent: ColumnCheck = {
    take: (numbers, from) => {
      const end = nodesIn(numbers, from, this.#size.nodes);
      let before = this.#before;
      let at = 0;
      if (from === 0) {
        if (numbers[0] !== 0) throw new PackDamaged('no root');
        at = 1;
      }
      for (; at < end; at++) {
        const above = numbers[at]!;
        if (above === before) continue;
        if (above < before || above >= from + at) throw new PackDamaged(`row ${from + at} is no child of row ${above}`);
        this.#beginRun(above, from + at);
        before = above;
      }
      this.#before = before;
      expectAll(numbers, end, noRow, (row) => `row ${from + row} is in the hierarchy`);
    },
    end: () => {
      const { nodes, branches, depth } = this.#size;
      this.#endRun(nodes);
      if (this.#branches !== branches) throw new PackDamaged(`${this.#branches} branches, expected ${branches}`);
      if (this.#levels.length - 1 !== depth)
        throw new PackDamaged(`depth ${this.#levels.length - 1}, expected ${depth}`);
      for (let branch = 1, run = 0; branch < branches; branch++) {
        while (this.rowOf[branch]! >= this.firstChild[run]! + this.childCount[run]!) run++;
        this.above[branch] = run;
      }
    },
  };

  readonly depth: ColumnCheck = {
    take: (numbers, from) => {
      const { nodes } = this.#size;
      const levels = this.#levels;
      const end = nodesIn(numbers, from, nodes);
      let level = levelOf(levels, from);
      for (let at = 0; at < end; level++) {
        const stop = Math.min(end, (levels[level + 1] ?? nodes) - from);
        for (; at < stop; at++)
          if (numbers[at] !== level) throw new PackDamaged(`row ${from + at} has depth ${numbers[at]}`);
      }
      expectAll(numbers, end, 0, (row) => `row ${from + row} has a depth`);
    },
  };

  /** Checks the number of each row's branch; for a row without children, that of the next branch. */
  readonly branch: ColumnCheck = {
    take: (numbers, from) => {
      const { rowOf } = this;
      let next = firstFrom(rowOf, from - 1);
      for (let at = 0; at < numbers.length; at++) {
        if (rowOf[next] === from + at - 1) next++;
        if (numbers[at] !== next) throw new PackDamaged(`branch of row ${from + at}`);
      }
    },
  };

  /** @param expected by branch */
  same(name: string, expected: Uint32Array): ColumnCheck {
    return {
      take(numbers, from) {
        for (let at = 0; at < numbers.length; at++) {
          if (numbers[at] !== expected[from + at]) throw new PackDamaged(`${name} of branch ${from + at}`);
        }
      },
    };
  }

  /** Adds the number of each leaf to its branch: for a run of rows starting at `from`, those that `isWanted`. */
  addLeaves(sums: Uint32Array | Float64Array, numbers: Numbers, from: number, isWanted: Uint8Array): void {
    const { rowOf, firstChild, childCount } = this;
    const end = nodesIn(numbers, from, this.#size.nodes);
    const first = Math.max(1, from);
    let next = firstFrom(rowOf, first);
    let run = Math.max(0, firstFrom(firstChild, first + 1) - 1);
    for (let row = first; row < from + end; row++) {
      while (row >= firstChild[run]! + childCount[run]!) run++;
      if (row === rowOf[next]) next++;
      else if (isWanted[row] === 1) sums[run]! += numbers[row - from]! || 0;
    }
  }

  /**
   * Checks that each number of a column is the sum of the leaves among a branch's children plus another column's values
   * for the branches among them.
   *
   * @param base by branch; @param less subtracted for each branch among the children
   */
  checkSums(
    name: string,
    found: Uint32Array | Float64Array,
    ofBranches: Uint32Array | Float64Array,
    base: Uint32Array | Float64Array,
    less = 0,
  ): void {
    const expected = Float64Array.from(base);
    for (let branch = 1; branch < expected.length; branch++)
      expected[this.above[branch]!]! += (ofBranches[branch]! || 0) - less;
    for (let branch = 0; branch < expected.length; branch++) {
      // Volumes need not be integers, and sums of fractions depend on their order.
      if (Math.abs(found[branch]! - expected[branch]!) > 1e-9 * Math.abs(expected[branch]!)) {
        throw new PackDamaged(`${name} of branch ${branch} is ${found[branch]}, expected ${expected[branch]}`);
      }
    }
  }

  #beginRun(above: number, row: number): void {
    this.#endRun(row);
    const branch = this.#branches++;
    if (branch === this.#size.branches) throw new PackDamaged(`more branches than ${branch}`);
    this.rowOf[branch] = above;
    this.firstChild[branch] = row;
    // The children of a parent on the last level start a new level.
    if (above >= this.#levels.at(-1)!) this.#levels.push(row);
  }

  #endRun(row: number): void {
    const last = this.#branches - 1;
    if (last >= 0) this.childCount[last] = row - this.firstChild[last]!;
  }
}

/** The number of a column's next numbers that belong to nodes. */
function nodesIn(numbers: Numbers, from: number, nodes: number): number {
  return Math.max(0, Math.min(numbers.length, nodes - from));
}

function expectAll(numbers: Numbers, from: number, value: number, what: (at: number) => string): void {
  for (let at = from; at < numbers.length; at++) if (numbers[at] !== value) throw new PackDamaged(what(at));
}

/** The last level that starts at or before a row. */
function levelOf(levels: readonly number[], row: number): number {
  let low = 0;
  let high = levels.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (levels[middle]! <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
