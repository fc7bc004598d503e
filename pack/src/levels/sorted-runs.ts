import type { Pause } from '../format/in-pieces.ts';

/** Values in runs, each of which is sorted: all at once would take hundreds of milliseconds for a million. */
export async function sortedRuns(values: Float64Array, pause: Pause): Promise<Float64Array[]> {
  const runs: Float64Array[] = [];
  for (let from = 0; from < values.length; from += runLength) {
    await pause();
    runs.push(values.slice(from, from + runLength).sort());
  }
  return runs;
}

const runLength = 2 ** 16;

export const limitsOf = (runs: readonly Float64Array[]): [number, number] => [
  Math.min(...runs.map((run) => run[0]!)),
  Math.max(...runs.map((run) => run.at(-1)!)),
];

/** @param runs not empty, together the values */
export function medianOf(runs: readonly Float64Array[]): number {
  const middle = (runs.reduce((count, { length }) => count + length, 0) - 1) / 2;
  return (ofRank(runs, Math.floor(middle)) + ofRank(runs, Math.ceil(middle))) / 2;
}

/** The value with `rank` smaller ones before it, by halving the longest of what is left of the runs. */
export function ofRank(runs: readonly Float64Array[], rank: number): number {
  let [parts, left] = [runs, rank];
  for (;;) {
    const longest = parts.reduce((one, other) => (other.length > one.length ? other : one));
    const pivot = longest[longest.length >> 1]!;
    const below = parts.map((part) => placeOf(part, (value) => value < pivot));
    const upTo = parts.map((part) => placeOf(part, (value) => value <= pivot));
    const [smaller, notGreater] = [sumOf(below), sumOf(upTo)];
    if (left < smaller) parts = parts.map((part, at) => part.subarray(0, below[at]));
    else if (left < notGreater) return pivot;
    else {
      parts = parts.map((part, at) => part.subarray(upTo[at]));
      left -= notGreater;
    }
  }
}

/** How many of the first values, which are those that hold. */
export function placeOf(sorted: Float64Array, holds: (value: number) => boolean): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(sorted[middle]!)) from = middle + 1;
    else to = middle;
  }
  return from;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
