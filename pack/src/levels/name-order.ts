import type { Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { sortRows } from './sort-rows.ts';

/** The place of rows in the order of their names. */
export type NameOrder = {
  /** Rows with equal names have equal places. */
  get(row: number): number;
};

/** Names between two pauses: a few milliseconds. */
const namesAtATime = 2 ** 13;

/**
 * Orders rows by their names without case and accents, by code point; equal names share a place. The bytes of UTF-8
 * have the order of the code points, so no name becomes a string: that would take minutes for ten million.
 *
 * Cost: the bytes of all names are read whole and cached with the pack; 4 bytes per node, and a merge sort.
 */
export async function createNameOrder(pack: PackReader, rows: Uint32Array, pause: Pause): Promise<NameOrder> {
  const compare = await nameComparer(pack);
  const sorted = await sortRows(rows, compare, pause);
  const places = new Uint32Array(pack.metadata.nodes);
  let place = 0;
  for (let from = 0; from < sorted.length; from += namesAtATime) {
    await pause();
    for (let at = from; at < Math.min(sorted.length, from + namesAtATime); at++) {
      if (at > 0 && compare(sorted[at - 1]!, sorted[at]!) !== 0) place = at;
      places[sorted[at]!] = place;
    }
  }
  return { get: (row) => places[row]! };
}

async function nameComparer(pack: PackReader): Promise<(one: number, other: number) => number> {
  const [folded, names] = [await pack.column('folded'), await pack.texts('name')];
  // Names that equal their fold have no second text.
  const folds = folded.at(-1)! > 0 ? await pack.texts('fold') : names;
  return (one, other) => {
    const isOneFolded = folded[one] !== folded[one + 1];
    const isOtherFolded = folded[other] !== folded[other + 1];
    const [a, b] = [isOneFolded ? folds : names, isOtherFolded ? folds : names];
    const [atA, atB] = [isOneFolded ? folded[one]! : one, isOtherFolded ? folded[other]! : other];
    const [endA, endB] = [a.start[atA + 1]!, b.start[atB + 1]!];
    let [i, j] = [a.start[atA]!, b.start[atB]!];
    for (; i < endA && j < endB; i++, j++) {
      const difference = a.bytes[i]! - b.bytes[j]!;
      if (difference !== 0) return difference;
    }
    return endA - i - (endB - j);
  };
}
