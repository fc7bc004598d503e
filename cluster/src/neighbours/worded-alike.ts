import { lengthOf, packed, rowCount, type Vectors } from '../features/vectors.ts';
import { Nearest } from './nearest.ts';
import type { Neighbours } from './neighbours.ts';

/** The hashes of a text's words, in any order. */
export type WordHashes = readonly number[];

/** Of rows that have the same words in common with a text, so many are compared with it. */
const maxAlike = 32;
/** Rows that can be told apart beside a hash of 32 bits in one float. */
const rowStep = 2 ** 20;

/**
 * Finds rows that have all words in common with a text but one (it has one more, one less, or another one), or the two rarest:
 * their other words are most often about what is wanted of the same thing. Takes a hundredth of the time of comparing
 * vectors, and finds nine of ten rows that are worded nearly alike.
 *
 * @param words of each row
 * @param wording of each row, by which those that are found are compared
 * @returns at most `count` rows of each text, the most similar first
 */
export function wordedAlike(
  words: readonly WordHashes[],
  wording: Vectors,
): (asked: readonly WordHashes[], askedWording: Vectors, count: number) => Neighbours {
  if (words.length > rowStep) throw new RangeError(`${words.length} rows are too many`);
  const times = new Map<number, number>();
  for (const some of words) for (const word of some) times.set(word, 1 + (times.get(word) ?? 0));
  const keysOf = (some: WordHashes): number[] => [...oneLeftOut(some), ...rarestTwo(some, times)];
  const entries = Float64Array.from(
    words.flatMap((some, row) => keysOf(some).map((key) => key * rowStep + row)),
  ).sort();
  const known = packed(wording);
  const length = Float64Array.from(words, (_, row) => lengthOf(known, row) || 1);
  return (asked, askedWording, count) => {
    const nearest = new Nearest(rowCount(askedWording), count);
    asked.forEach((some, index) => {
      const found = new Set<number>();
      for (const key of keysOf(some)) {
        const first = firstAtLeast(entries, key * rowStep);
        for (let at = first; at < first + maxAlike && entries[at]! < (key + 1) * rowStep; at++)
          found.add(entries[at]! - key * rowStep);
      }
      for (const row of found) nearest.offer(index, row, product(askedWording, index, known, row) / length[row]!);
    });
    return nearest.found();
  };
}

/** Of all words, and of all but each one. Sums, so that their order does not matter. */
function oneLeftOut(words: WordHashes): number[] {
  const all = words.reduce((sum, word) => (sum + word) >>> 0, 0);
  if (words.length === 0) return [];
  // Without its only word, a text would have none in common with anything.
  return words.length === 1 ? [all] : [all, ...words.map((word) => (all - word) >>> 0)];
}

/** Of the two words that the fewest rows have. @param times how often rows have each word */
function rarestTwo(words: WordHashes, times: ReadonlyMap<number, number>): number[] {
  const different = [...new Set(words)];
  if (different.length < 2) return [];
  const timesOf = (word: number): number => times.get(word) ?? 0;
  const [first, second] = different.sort((a, b) => timesOf(a) - timesOf(b) || a - b);
  // Not the key of texts that consist of these words: of each, only some are compared.
  return [(first! + second! + 1) >>> 0];
}

function firstAtLeast(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function product(one: Vectors, row: number, other: Vectors<Int8Array>, otherRow: number): number {
  const { dimensions } = one;
  let sum = 0;
  for (let at = 0; at < dimensions; at++)
    sum += one.values[row * dimensions + at]! * other.values[otherRow * dimensions + at]!;
  return sum;
}
