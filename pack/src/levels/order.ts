import { eachPiece, type Pause, pauseBetween, pieceLength } from '../format/in-pieces.ts';
import { orderOfNumbers } from '../format/order-of-numbers.ts';

/** One value for each row of a list, NaN for unknown, and whether the largest comes first. */
export type OrderKey = { readonly values: Float64Array; readonly descending: boolean };

/** A key whose values may be equal for rows that differ. `compareEqual` then decides between two places, in ascending order. */
export type FinerKey = OrderKey & { readonly compareEqual?: ((one: number, other: number) => number) | undefined };

/**
 * Sorts a list by some keys, of which earlier ones decide first. Unknown values come last in both directions. The sort is stable.
 *
 * Cost: at most eight passes in pieces for each key, and no comparisons; 20 bytes per row.
 *
 * @param keys at least one
 * @returns the places (indices in the list) in the new order
 */
export async function placesInOrder(keys: readonly OrderKey[], pause: Pause): Promise<Uint32Array> {
  let order: Uint32Array | undefined;
  for (const { values, descending } of keys.toReversed()) {
    const { low, high } = await sortable(values, descending, pause);
    order = await orderOfNumbers(low, pause, order);
    order = await orderOfNumbers(high, pause, order);
  }
  return order ?? new Uint32Array(0);
}

/** The halves of unsigned 64-bit integers that have the same order as some values, or the reverse one; NaN is the greatest in both cases. */
async function sortable(values: Float64Array, descending: boolean, pause: Pause) {
  const halves = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  const [low, high] = [new Uint32Array(values.length), new Uint32Array(values.length)];
  const sign = 0x80000000;
  await eachPiece(values.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      if (Number.isNaN(values[at])) {
        low[at] = high[at] = 0xffffffff;
        continue;
      }
      // The zeros are equal.
      const [ofLow, ofHigh] = values[at] === 0 ? [0, 0] : [halves[2 * at]!, halves[2 * at + 1]!];
      // IEEE 754 numbers sort like unsigned integers once all bits of negative ones and the sign bits of others are inverted. Descending
      // order inverts all bits once more.
      const isInverted = ofHigh >= sign !== descending;
      low[at] = isInverted ? ~ofLow : ofLow;
      high[at] = (isInverted ? ~ofHigh : ofHigh) ^ (ofHigh >= sign ? 0 : sign);
    }
  });
  return { low, high };
}

/**
 * The first `count` of {@link placesInOrder}.
 *
 * Cost: one pass over the list, seldom two. A bound, first guessed from a sample and then the worst row found so far, rules out most rows
 * without a comparison. Memory: twice the result.
 *
 * @param keys at least one
 * @param places the rows to choose from, ascending; all of them if absent
 */
export async function firstPlaces(
  keys: readonly FinerKey[],
  count: number,
  pause: Pause,
  places?: Uint32Array,
): Promise<Uint32Array> {
  const [first] = keys;
  if (!first || count === 0) return new Uint32Array(0);
  const guessed = await placesBeyond(guessOf(first, count, places), keys, count, pause, places);
  return guessed.length < count ? placesBeyond(Number.NaN, keys, count, pause, places) : guessed;
}

/** The number of rows in a sample. */
const sampleSize = 2 ** 13;

/**
 * How to guess a bound from a sample: take every `step`th row, and of these the one with `rank`, counted from 1. Probably somewhat more than
 * `count` rows are at least as good as it. Undefined for lists too short to be sampled.
 */
export function sampleFor(length: number, count: number): { readonly step: number; readonly rank: number } | undefined {
  const step = Math.floor(length / sampleSize);
  const rank = Math.ceil((1.5 * count) / step) + 8;
  return step < 2 || 2 * rank > sampleSize ? undefined : { step, rank };
}

/** A value that probably somewhat more rows than wanted reach; NaN, which every row reaches, for a list too short to be sampled. */
function guessOf({ values, descending }: OrderKey, wanted: number, places?: Uint32Array): number {
  const sampled = sampleFor((places ?? values).length, wanted);
  if (!sampled) return Number.NaN;
  const { step, rank } = sampled;
  const sample = new Float64Array(sampleSize);
  let count = 0;
  for (let nth = 0; nth < sampleSize; nth++) {
    const value = values[places ? places[nth * step]! : nth * step]!;
    if (!Number.isNaN(value)) sample[count++] = value;
  }
  const known = sample.subarray(0, count).sort();
  return known[descending ? known.length - rank : rank - 1] ?? Number.NaN;
}

/** The first `count` of the rows whose first key reaches a guess; fewer if the guess was too good. */
async function placesBeyond(
  guess: number,
  keys: readonly FinerKey[],
  count: number,
  pause: Pause,
  places?: Uint32Array,
): Promise<Uint32Array> {
  const { values, descending } = keys[0]!;
  const compare = comparison(keys);
  let found: number[] = [];
  /** The last of the best `count` rows so far, and its first key; until there are that many, undefined and the guess. */
  let worst: number | undefined;
  let bound = guess;
  const cut = () => {
    found = found.sort(compare).slice(0, count);
    worst = found.length < count ? undefined : found.at(-1);
    bound = worst === undefined ? guess : values[worst]!;
  };
  const between = pauseBetween(pause);
  const maxFound = 2 * count + 64;
  const { length } = places ?? values;
  // Where many values are equal, most rows need `compareEqual`, whose reads are scattered over the memory.
  const costOfRow = keys.some(({ compareEqual }) => compareEqual) ? 16 : 1;
  for (let from = 0; from < length; ) {
    let next = from;
    const end = Math.min(length, from + pieceLength / costOfRow);
    // A cut sorts all that was found, so it ends the piece.
    while (found.length < maxFound) {
      next = nextWithin(bound, descending, values, places, next, end);
      if (next === end) break;
      const at = places ? places[next]! : next;
      next++;
      if (worst === undefined || compare(at, worst) < 0) found.push(at);
    }
    const isCut = found.length >= maxFound;
    if (isCut) cut();
    if (next < length) await between(costOfRow * (next - from) + (isCut ? 16 * maxFound : 0));
    from = next;
  }
  cut();
  return Uint32Array.from(found);
}

/** The next row that is no worse than a bound, or `end`. No row is worse than a bound of NaN. Most rows are skipped here. */
function nextWithin(
  bound: number,
  descending: boolean,
  values: Float64Array,
  places: Uint32Array | undefined,
  from: number,
  end: number,
): number {
  let next = from;
  if (Number.isNaN(bound)) return next;
  // Comparisons with an unknown value are false.
  if (places) {
    if (descending) while (next < end && !(values[places[next]!]! >= bound)) next++;
    else while (next < end && !(values[places[next]!]! <= bound)) next++;
  } else if (descending) while (next < end && !(values[next]! >= bound)) next++;
  else while (next < end && !(values[next]! <= bound)) next++;
  return next;
}

/** The places, ascending, of all rows that can be among the first `count` by this key: ties with the last of them included. */
export async function placesUpTo(key: OrderKey, count: number, pause: Pause): Promise<Uint32Array> {
  const { values, descending } = key;
  const last = (await firstPlaces([key], count, pause)).at(-1);
  const bound = last === undefined ? Number.NaN : values[last]!;
  const found: number[] = [];
  await eachPiece(values.length, pause, (from, end) => {
    let at = nextWithin(bound, descending, values, undefined, from, end);
    for (; at < end; at = nextWithin(bound, descending, values, undefined, at + 1, end)) found.push(at);
  });
  return Uint32Array.from(found);
}

/** Compares two places; never 0 for different ones. Runs uncompiled at first in a new process, so every step of the loop costs time. */
function comparison(keys: readonly FinerKey[]): (one: number, other: number) => number {
  const { length } = keys;
  const columns = keys.map(({ values }) => values);
  const signs = keys.map(({ descending }) => (descending ? -1 : 1));
  const finer = keys.map(({ compareEqual }) => compareEqual);
  return (one, other) => {
    for (let key = 0; key < length; key++) {
      const values = columns[key]!;
      const [a, b] = [values[one]!, values[other]!];
      if (a < b) return -signs[key]!;
      if (a > b) return signs[key]!;
      const order =
        a === b ? signs[key]! * (finer[key]?.(one, other) ?? 0) : Number(Number.isNaN(a)) - Number(Number.isNaN(b));
      if (order !== 0) return order;
    }
    return one - other;
  };
}

/**
 * The values with some ranks in ascending order; rank 0 is the smallest one. No value may be NaN. A radix selection.
 * Cost: about two passes in pieces for each rank, and a sort of at most {@link sortedAtOnce} values.
 */
export async function valuesOfRank(
  values: Float64Array,
  ranks: readonly number[],
  pause: Pause,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (const rank of ranks) found.push(await valueOfRank(values, rank, pause));
  return found;
}

/** Up to this many values are sorted at once, which takes a few milliseconds. */
const sortedAtOnce = 2 ** 15;
const digits = [16, 0] as const;

async function valueOfRank(values: Float64Array, rank: number, pause: Pause): Promise<number> {
  let [candidates, remainingRank] = [values, rank];
  for (const half of [1, 0]) {
    for (const shift of digits) {
      if (candidates.length <= sortedAtOnce) return candidates.toSorted()[remainingRank]!;
      const counts = new Uint32Array(2 ** 16);
      const digitOf = digitsOf(candidates, half, shift);
      await eachPiece(candidates.length, pause, (from, end) => {
        for (let at = from; at < end; at++) counts[digitOf(at)]!++;
      });
      let digit = 0;
      while (remainingRank >= counts[digit]!) remainingRank -= counts[digit++]!;
      if (counts[digit] === candidates.length) continue;
      const next = new Float64Array(counts[digit]!);
      let length = 0;
      await eachPiece(candidates.length, pause, (from, end) => {
        for (let at = from; at < end; at++) if (digitOf(at) === digit) next[length++] = candidates[at]!;
      });
      candidates = next;
    }
  }
  // All are equal.
  return candidates[0]!;
}

/** A digit of 16 bits of the unsigned 64-bit integers that have the same order as some values, see {@link sortable}. */
function digitsOf(values: Float64Array, half: number, shift: number): (at: number) => number {
  const halves = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  return (at) => {
    const isNegative = halves[2 * at + 1]! >= 0x80000000;
    const bits = halves[2 * at + half]!;
    const inverted = isNegative ? ~bits : half === 1 ? bits ^ 0x80000000 : bits;
    return (inverted >>> shift) & 0xffff;
  };
}

/** The minimum and maximum of some values, none of them NaN; Infinity and -Infinity if there are no values. */
export async function limitsOf(values: Float64Array, pause: Pause): Promise<[min: number, max: number]> {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  await eachPiece(values.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const value = values[at]!;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  });
  return [min, max];
}

/** The length of a run that is sorted at once: a few milliseconds. */
const runLength = 2 ** 13;

/**
 * Sorts rows in pieces, so that other requests are answered in between. The rows are not modified.
 * Cost: as many comparisons as a merge sort; two arrays of 4 bytes per row.
 */
export async function sortRows(
  rows: Uint32Array,
  compare: (one: number, other: number) => number,
  pause: Pause,
): Promise<Uint32Array> {
  let sorted = rows.slice();
  const between = pauseBetween(pause);
  for (let from = 0; from < sorted.length; from += runLength) {
    sorted.subarray(from, from + runLength).sort(compare);
    await between(8 * runLength);
  }
  let merged = new Uint32Array(rows.length);
  for (let length = runLength; length < rows.length; length *= 2) {
    for (let from = 0; from < rows.length; from += 2 * length) {
      await mergeRuns(sorted, merged, from, Math.min(rows.length, from + length), compare, between, length);
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

/** Merges the runs before and after `middle`. A long pair of runs is merged in pieces. */
async function mergeRuns(
  from: Uint32Array,
  to: Uint32Array,
  start: number,
  middle: number,
  compare: (one: number, other: number) => number,
  between: ReturnType<typeof pauseBetween>,
  length: number,
): Promise<void> {
  const end = Math.min(from.length, middle + length);
  let one = start;
  let other = middle;
  for (let at = start; at < end; ) {
    const until = Math.min(end, at + runLength);
    for (; at < until; at++) {
      const isFirst = other >= end || (one < middle && compare(from[one]!, from[other]!) <= 0);
      to[at] = isFirst ? from[one++]! : from[other++]!;
    }
    await between(8 * runLength);
  }
}
