import { release } from './release.ts';

/** 0 for the nodes of an upload, 1 for its keywords. */
export type Table = 0 | 1;

/** Blocks by number; undefined where no row has a value. */
export type Blocks<T> = readonly (T | undefined)[];

const BLOCK_BITS = 12;
export const blockRows = 1 << BLOCK_BITS;
/** The bits of a row's number that are its place in its block. */
export const rowMask = blockRows - 1;

/** A sparse column of both tables while it is read: blocks of rows, allocated only where a row has a value. */
export class BlockColumn<T extends Float64Array | Float32Array | Uint32Array | Uint8Array> {
  /** The memory of all blocks. */
  bytes = 0;
  readonly #blocks: [(T | undefined)[], (T | undefined)[]] = [[], []];
  readonly #empty: () => T;

  /** @param empty makes a block in which nothing is known */
  constructor(empty: () => T) {
    this.#empty = empty;
  }

  blocks(table: Table): Blocks<T> {
    return this.#blocks[table];
  }

  /** The block of a row; undefined if no row of it has a value. */
  known(table: Table, row: number): T | undefined {
    return this.#blocks[table][row >>> BLOCK_BITS];
  }

  /** The block of a row, allocated if necessary. */
  at(table: Table, row: number): T {
    const blocks = this.#blocks[table];
    const found = blocks[row >>> BLOCK_BITS];
    if (found) return found;
    const made = this.#empty();
    this.bytes += made.byteLength;
    blocks[row >>> BLOCK_BITS] = made;
    return made;
  }

  /**
   * Joins the blocks of a table into one column with `perRow` numbers per row, and frees them. Undefined if there are none.
   *
   * @param column makes a column of the whole table in which nothing is known
   */
  join(table: Table, column: () => T, perRow = 1): T | undefined {
    const blocks = this.#blocks[table];
    if (blocks.length === 0) return undefined;
    const joined = column();
    for (const [index, block] of blocks.entries()) {
      if (!block) continue;
      const at = index * blockRows * perRow;
      joined.set(block.subarray(0, joined.length - at), at);
      blocks[index] = undefined;
      release(block);
    }
    return joined;
  }

  release(): void {
    for (const blocks of this.#blocks) {
      for (const block of blocks) if (block) release(block);
      blocks.length = 0;
    }
    this.bytes = 0;
  }
}
