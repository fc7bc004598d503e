import type { Columns } from './columns.ts';

/** The loaded children of every row, and sums over them. Columns may be longer than the tree. */
export class ChildIndex {
  /**
   * Loaded children of row `r`: `rows[start[r] .. start[r + 1]]`, by `order`, the heaviest first. Replaced, never
   * mutated.
   */
  start = new Uint32Array(1);
  rows = new Int32Array(0);
  /** Number of loaded children of a row. */
  count = new Uint32Array(0);
  keywords = new Float64Array(0);
  /** Sum of the known volumes of the loaded children. */
  volume = new Float64Array(0);
  leaves = new Float64Array(0);
  /** Number of children that are not loaded, for all rows together. */
  missing = 0;

  /**
   * Adds the rows of a slice.
   *
   * Cost: the children of `parents`; for all other rows two sums and block copies, which are fast. This matters because
   * slices of a few thousand rows are added to a tree of hundreds of thousands many times.
   *
   * @param first of the new rows, up to `size`; they ascend in pack order
   * @param parents of every row that is new or has changed
   */
  grow(columns: Columns, first: number, size: number, parents: ReadonlySet<number>): void {
    this.#reserve(columns.node.length);
    const { parent, childCount } = columns;
    for (let row = Math.max(1, first); row < size; row++) this.count[parent[row]!]!++;
    const start = new Uint32Array(size + 1);
    for (let row = 0; row < size; row++) start[row + 1] = start[row]! + this.count[row]!;
    const rows = new Int32Array(Math.max(0, size - 1));
    this.#copyOld(start, rows, first, parents);
    const next = new Map<number, number>();
    for (let row = Math.max(1, first); row < size; row++) {
      const up = parent[row]!;
      const at = next.get(up) ?? start[up]! + (up < first ? this.start[up + 1]! - this.start[up]! : 0);
      rows[at] = row;
      next.set(up, at + 1);
    }
    this.start = start;
    this.rows = rows;
    for (const row of parents) this.#sum(columns, row);
    let children = 0;
    for (let row = 0; row < size; row++) children += childCount[row]!;
    this.missing = children - Math.max(0, size - 1);
  }

  #reserve(capacity: number): void {
    if (this.count.length >= capacity) return;
    const [count, sums] = [new Uint32Array(capacity), () => new Float64Array(capacity)];
    count.set(this.count);
    this.count = count;
    for (const name of ['keywords', 'volume', 'leaves'] as const) {
      const grown = sums();
      grown.set(this[name]);
      this[name] = grown;
    }
  }

  /** Copies the old children, block by block, between the rows that may have new ones. */
  #copyOld(start: Uint32Array, rows: Int32Array, first: number, parents: ReadonlySet<number>): void {
    let from = 0;
    const copyTo = (end: number) => {
      rows.set(this.rows.subarray(this.start[from], this.start[end]), start[from]);
      from = end;
    };
    for (const row of [...parents].filter((at) => at < first).sort((a, b) => a - b)) {
      copyTo(row);
      copyTo(row + 1);
    }
    copyTo(first);
  }

  /** Sorts the children of a row by their order, and sums them up. */
  #sum({ order, node, keywords, leaves, volume }: Columns, row: number): void {
    const children = this.rows.subarray(this.start[row], this.start[row + 1]);
    const compare = (one: number, other: number) => order[one]! - order[other]! || node[one]! - node[other]!;
    for (let at = 1; at < children.length; at++) {
      if (compare(children[at - 1]!, children[at]!) < 0) continue;
      children.sort(compare);
      break;
    }
    let [ofKeywords, ofLeaves, ofVolume] = [0, 0, 0];
    for (const child of children) {
      ofKeywords += keywords[child]!;
      ofLeaves += leaves[child]!;
      const value = volume[child]!;
      if (!Number.isNaN(value)) ofVolume += value;
    }
    this.keywords[row] = ofKeywords;
    this.leaves[row] = ofLeaves;
    this.volume[row] = ofVolume;
  }
}
