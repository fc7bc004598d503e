import { quantileSorted, ticks } from 'd3-array';
import type { Steps } from '../../model/encodings.ts';
import type { Figures, Metric } from '../../tree-data/figures.ts';

/** A scale: how the values of one metric map to a line. */
export type Axis = {
  readonly isLog: boolean;
  /** Both ends of the line, as {@link placeOf} returns them. */
  readonly low: number;
  readonly high: number;
  /** The smallest and the greatest value that exist, so there are no ticks beyond. */
  readonly min: number;
  readonly max: number;
};

/** Amounts, such as volumes, are on a logarithmic scale if the largest is this many times the smallest. */
const wide = 10;
/** Values are skewed if their 95th percentile is more than this many times the median. */
const skewed = 20;
/**
 * Room at both ends, as a part of the range of values: a little more than the radius of the biggest point, which is 7 %
 * of the plot.
 */
const padding = 0.09;

/** What is known about the values of an axis besides the values themselves. */
export type AxisKind = {
  /** The limits of possible values. */
  readonly min: number;
  readonly max: number;
  /** Whether they are counts or sums, which differ widely between branches of different sizes. */
  readonly isAmount?: boolean;
  /** The chosen scale; values below 0 have no logarithm. */
  readonly steps?: Steps | undefined;
};

/** What kind of axis a figure has. */
export function kindOfAxis(
  metric: Metric,
  values: Float64Array,
  rollUp: Figures['rollUp'] | undefined,
  steps: Steps | undefined,
): AxisKind {
  const isAmount = rollUp === 'count' || rollUp === 'sum';
  return { ...boundsOf(metric, values), isAmount, steps };
}

/** The limits of possible values: scales that end by definition, and 0 if no value is below it. */
function boundsOf(metric: Metric, values: Float64Array): { readonly min: number; readonly max: number } {
  if (metric === 'difficulty') return { min: 0, max: 100 };
  if (metric === 'field:competition') return { min: 0, max: 1 };
  const isBelow0 = values.some((value) => value < 0);
  return { min: isBelow0 ? Number.NEGATIVE_INFINITY : 0, max: Number.POSITIVE_INFINITY };
}

/** The axis for some values, all of them known. */
export function axisFor(values: Float64Array, { isAmount, steps, ...bounds }: AxisKind): Axis {
  const sorted = values.slice().sort();
  const isLog = bounds.min >= 0 && (steps === undefined ? isUneven(sorted, bounds.max, isAmount) : steps === 'log');
  const place = (value: number) => placeOf({ isLog }, value);
  const [first, last] = [place(sorted[0] ?? 0), place(sorted.at(-1) ?? 0)];
  const minRoom = isLog ? 0.2 : last > first ? 0 : Math.max(1, Math.abs(last) * 0.05);
  const room = Math.max((last - first) * padding, minRoom);
  return {
    isLog,
    ...bounds,
    low: first - room,
    high: last + room,
  };
}

/** @param sorted ascending */
function isUneven(sorted: Float64Array, max: number, isAmount = false): boolean {
  if (max !== Number.POSITIVE_INFINITY) return false;
  const [smallest, largest] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  if (isAmount && largest + 1 >= wide * (smallest + 1)) return true;
  return quantile(sorted, 0.95) > skewed * Math.max(1, quantile(sorted, 0.5));
}

/** The position of a value: itself, or its logarithm; of the value plus one, so that 0 has a position too. */
export function placeOf({ isLog }: Pick<Axis, 'isLog'>, value: number): number {
  return isLog ? Math.log10(value + 1) : value;
}

/** @param sorted ascending; 0 if empty. The types of d3 do not include typed arrays. */
const quantile = (sorted: Float64Array, share: number): number =>
  quantileSorted(sorted as unknown as number[], share) ?? 0;

/** Round values between two places, at most `maxCount` of them, at least one where there is one. */
export function roundValues(axis: Axis, low: number, high: number, maxCount: number): number[] {
  if (axis.isLog) return magnitudes(low, high, maxCount);
  return steps(Math.max(low, axis.min), Math.min(high, axis.max), maxCount);
}

/** 0, 1, 10, 100 …; also 2 and 5 if they fit; every second one if there is too little room. */
function magnitudes(low: number, high: number, maxCount: number): number[] {
  const last = Math.ceil(high) + 1;
  const tens = Array.from({ length: last + 1 }, (_, power) => 10 ** power);
  const inRange = (values: readonly number[]) =>
    [0, ...values].filter((value) => Math.log10(value + 1) >= low && Math.log10(value + 1) <= high);
  const fine = inRange(tens.flatMap((ten) => [ten, 2 * ten, 5 * ten]));
  const coarse = inRange(tens);
  const shown = fine.length <= maxCount ? fine : coarse;
  return shown.length <= maxCount ? shown : shown.filter((_, i) => i % Math.ceil(shown.length / maxCount) === 0);
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function steps(low: number, high: number, maxCount: number): number[] {
  // The count is only a hint to d3.
  for (let count = maxCount; count > 0; count--) {
    const values = ticks(low, high, count);
    if (values.length <= maxCount) return values;
  }
  return [];
}
