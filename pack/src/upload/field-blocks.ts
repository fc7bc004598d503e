import { release } from './release.ts';

/** 0 for the nodes of an upload, 1 for its keywords. */
export type Table = 0 | 1;

/** A sparse column: blocks of rows, allocated only where a row has a value. */
export type Blocks<T> = (T | undefined)[];

const BLOCK_BITS = 12;
export const blockRows = 1 << BLOCK_BITS;
export const rowMask = blockRows - 1;

/** The block of a row, allocated if necessary. */
export function blockOf<T>(blocks: Blocks<T>, row: number, make: () => T): T {
  const found = blocks[row >>> BLOCK_BITS];
  if (found) return found;
  const made = make();
  blocks[row >>> BLOCK_BITS] = made;
  return made;
}

/** Joins the blocks into one array with `perRow` numbers per row, and frees them. */
export function flatten<T extends Float64Array | Uint32Array | Uint8Array>(
  blocks: Blocks<T>,
  column: T,
  perRow = 1,
): T {
  for (const [index, block] of blocks.entries()) {
    if (!block) continue;
    const at = index * blockRows * perRow;
    column.set(block.subarray(0, column.length - at), at);
    blocks[index] = undefined;
    release(block);
  }
  return column;
}
