import { randomBytes } from 'node:crypto';
import type { Listed } from './bucket.ts';

/** A piece of an object: `length` bytes that begin at `at`, in the part `name` from `from`. */
export type Piece = { readonly name: string; readonly at: number; readonly from: number; readonly length: number };

const digits = 16;

/** A new name for the part of an object that begins at `offset`. Names sort by offset. */
export const partName = (key: string, offset: number): string =>
  `${key}/${String(offset).padStart(digits, '0')}-${randomBytes(4).toString('hex')}`;

/** Where a part begins. */
export const offsetOf = (name: string): number => Number(name.slice(name.indexOf('/') + 1).split('-')[0]);

/**
 * The bytes that parts form without a gap, from the start. A server that was stopped in the middle of an upload may write one
 * more part when it goes on, over bytes that another server has stored meanwhile. Both come from the same file, so it does
 * not matter which one is read.
 *
 * @param parts in the order of their names
 */
export function chainOf(parts: readonly Listed[]): { readonly pieces: readonly Piece[]; readonly size: number } {
  const pieces: Piece[] = [];
  let size = 0;
  for (const { name, size: bytes } of parts) {
    const offset = offsetOf(name);
    if (offset > size) break;
    const end = offset + bytes;
    if (end <= size) continue;
    pieces.push({ name, at: size, from: size - offset, length: end - size });
    size = end;
  }
  return { pieces, size };
}
