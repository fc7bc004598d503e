import { randomBytes } from 'node:crypto';
import type { Listed } from './bucket.ts';

/** A piece of an object: `length` bytes that begin at `at`, in the part `name` from `from`. */
export type Piece = { readonly name: string; readonly at: number; readonly from: number; readonly length: number };

const digits = 16;
const generationDigits = 10;

/**
 * A new name for the part of an object that begins at `offset`. Names sort by offset, then by generation.
 *
 * @param generation rises whenever somebody begins to append, see `Storage.append`
 */
export const partName = (key: string, offset: number, generation = 0): string =>
  `${key}/${String(offset).padStart(digits, '0')}-${String(generation).padStart(generationDigits, '0')}-${randomBytes(4).toString('hex')}`;

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
export const offsetOf = (name: string): number => Number(wordsOf(name)[0]);

/** Who wrote a part; 0 for parts from before there were generations. */
export function generationOf(name: string): number {
  const [, generation, random] = wordsOf(name);
  return random === undefined ? 0 : Number(generation);
}

const wordsOf = (name: string): string[] => name.slice(name.indexOf('/') + 1).split('-');

/**
 * The bytes that parts form without a gap, from the start.
 *
 * A server that was stopped in the middle of an upload may write one more part when it goes on, over bytes that another
 * server has stored meanwhile, from another file perhaps: where a later generation has begun, nothing of an earlier one
 * counts.
 *
 * @param objects in the order of their names; those that were written as a whole are no parts
 */
export function chainOf(objects: readonly Listed[]): { readonly pieces: readonly Piece[]; readonly size: number } {
  const parts = partsIn(objects);
  const ends = endsOf(parts);
  const pieces: Piece[] = [];
  let size = 0;
  for (const { name, size: bytes } of parts) {
    const offset = offsetOf(name);
    if (offset > size) break;
    const end = Math.min(offset + bytes, ends.get(generationOf(name))!);
    if (end <= size) continue;
    pieces.push({ name, at: size, from: size - offset, length: end - size });
    size = end;
  }
  return { pieces, size };
}

/** Where each generation ends: where a later one begins. */
function endsOf(parts: readonly Listed[]): ReadonlyMap<number, number> {
  const starts = new Map<number, number>();
  for (const { name } of parts) {
    const generation = generationOf(name);
    starts.set(generation, Math.min(starts.get(generation) ?? Number.POSITIVE_INFINITY, offsetOf(name)));
  }
  const ends = new Map<number, number>();
  let end = Number.POSITIVE_INFINITY;
  for (const generation of [...starts.keys()].sort((one, other) => other - one)) {
    ends.set(generation, end);
    end = Math.min(end, starts.get(generation)!);
  }
  return ends;
}

/** Those that were appended, not written as a whole. */
export const partsIn = (objects: readonly Listed[]): readonly Listed[] =>
  objects.filter(({ name }) => !name.includes(`/${wholeStart}`));
