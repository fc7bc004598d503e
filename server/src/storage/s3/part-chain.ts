import { randomBytes } from 'node:crypto';
import type { Listed } from './bucket.ts';

/** A piece of an object: `length` bytes that begin at `at`, in the part `name` from `from`. */
export type Piece = { readonly name: string; readonly at: number; readonly from: number; readonly length: number };

const digits = 16;

/** A new name for the part of an object that begins at `offset`. Names sort by offset. */
export const partName = (key: string, offset: number): string =>
  `${key}/${String(offset).padStart(digits, '0')}-${randomBytes(4).toString('hex')}`;

const wholeStart = 'whole-';

/**
 * A new name for an object that is written as a whole. It is never written again: whoever reads an earlier one under the same
 * key goes on with the same bytes. Names sort by age, and after those of parts.
 *
 * @param earlier what the bucket has of the key, in the order of the names
 */
export function wholeName(key: string, earlier: readonly Listed[]): string {
  const [, count = '0'] = /whole-(\d+)-/.exec(newestWhole(earlier)?.name ?? '') ?? [];
  return `${key}/${wholeStart}${String(Number(count) + 1).padStart(digits, '0')}-${randomBytes(4).toString('hex')}`;
}

/** The newest object that was written as a whole, if any. @param objects in the order of their names */
export function newestWhole(objects: readonly Listed[]): Listed | undefined {
  return objects.findLast(({ name }) => name.includes(`/${wholeStart}`));
}

/** Where a part begins. */
export const offsetOf = (name: string): number => Number(name.slice(name.indexOf('/') + 1).split('-')[0]);

/**
 * The bytes that parts form without a gap, from the start. A server that was stopped in the middle of an upload may write one
 * more part when it goes on, over bytes that another server has stored meanwhile. Both come from the same file, so it does
 * not matter which one is read.
 *
 * @param objects in the order of their names; those that were written as a whole are no parts
 */
export function chainOf(objects: readonly Listed[]): { readonly pieces: readonly Piece[]; readonly size: number } {
  const pieces: Piece[] = [];
  let size = 0;
  for (const { name, size: bytes } of partsIn(objects)) {
    const offset = offsetOf(name);
    if (offset > size) break;
    const end = offset + bytes;
    if (end <= size) continue;
    pieces.push({ name, at: size, from: size - offset, length: end - size });
    size = end;
  }
  return { pieces, size };
}

/** Those that were appended, not written as a whole. */
export const partsIn = (objects: readonly Listed[]): readonly Listed[] =>
  objects.filter(({ name }) => !name.includes(`/${wholeStart}`));
