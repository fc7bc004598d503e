import { type Pause, pauseBetween } from '../format/in-pieces.ts';

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
