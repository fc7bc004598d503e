import { release } from './release.ts';

/** The nodes or the keywords of an upload. */
export type Table = 0 | 1;

/** A column that grows where rows have something: blocks of rows, and none where no row has. */
export type Blocks<T> = (T | undefined)[];

const BLOCK_BITS = 12;
export const blockRows = 1 << BLOCK_BITS;
export const rowMask = blockRows - 1;

/** The block of a row, made where there is none. */
export function blockOf<T>(blocks: Blocks<T>, row: number, make: () => T): T {
  const found = blocks[row >>> BLOCK_BITS];
  if (found) return found;
  const made = make();
  blocks[row >>> BLOCK_BITS] = made;
  return made;
}

/** One array of all rows, `perRow` numbers each. The blocks are gone afterwards. */
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
