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
  readonly least: number;
  readonly most: number;
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

/** What is known of the values of an axis besides themselves. */
export type AxisKind = {
  /** The limits of possible values. */
  readonly least: number;
  readonly most: number;
  /** Whether they are counts or sums, which branches of different sizes have very different ones of. */
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
function boundsOf(metric: Metric, values: Float64Array): { readonly least: number; readonly most: number } {
  if (metric === 'difficulty') return { least: 0, most: 100 };
  if (metric === 'field:competition') return { least: 0, most: 1 };
  const isBelow0 = values.some((value) => value < 0);
  return { least: isBelow0 ? Number.NEGATIVE_INFINITY : 0, most: Number.POSITIVE_INFINITY };
}

/** The axis for some values, all of them known. */
export function axisFor(values: Float64Array, { isAmount, steps, ...bounds }: AxisKind): Axis {
  const sorted = values.slice().sort();
  const isLog = bounds.least >= 0 && (steps === undefined ? isUneven(sorted, bounds.most, isAmount) : steps === 'log');
  const place = (value: number) => placeOf({ isLog }, value);
  const [least, most] = [place(sorted[0] ?? 0), place(sorted.at(-1) ?? 0)];
  const minRoom = isLog ? 0.2 : most > least ? 0 : Math.max(1, Math.abs(most) * 0.05);
  const room = Math.max((most - least) * padding, minRoom);
  return {
    isLog,
    ...bounds,
    low: least - room,
    high: most + room,
  };
}

/** @param sorted ascending */
function isUneven(sorted: Float64Array, most: number, isAmount = false): boolean {
  if (most !== Number.POSITIVE_INFINITY) return false;
  const [smallest, largest] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  if (isAmount && largest + 1 >= wide * (smallest + 1)) return true;
  return quantile(sorted, 0.95) > skewed * Math.max(1, quantile(sorted, 0.5));
}

/** The position of a value: itself, or its logarithm; of the value plus one, so that 0 has a position too. */
export function placeOf({ isLog }: Pick<Axis, 'isLog'>, value: number): number {
  return isLog ? Math.log10(value + 1) : value;
}

/** @param sorted ascending; 0 if empty. The types of d3 know no typed arrays. */
const quantile = (sorted: Float64Array, share: number): number =>
  quantileSorted(sorted as unknown as number[], share) ?? 0;

/** Round values between two places, at most `most` of them, at least one where there is one. */
export function roundValues(axis: Axis, low: number, high: number, most: number): number[] {
  if (axis.isLog) return magnitudes(low, high, most);
  return steps(Math.max(low, axis.least), Math.min(high, axis.most), most);
}

/** 0, 1, 10, 100 …; also 2 and 5 if they fit; every second one if there is too little room. */
function magnitudes(low: number, high: number, most: number): number[] {
  const last = Math.ceil(high) + 1;
  const tens = Array.from({ length: last + 1 }, (_, power) => 10 ** power);
  const seen = (values: readonly number[]) =>
    [0, ...values].filter((value) => Math.log10(value + 1) >= low && Math.log10(value + 1) <= high);
  const fine = seen(tens.flatMap((ten) => [ten, 2 * ten, 5 * ten]));
  const coarse = seen(tens);
  const shown = fine.length <= most ? fine : coarse;
  return shown.length <= most ? shown : shown.filter((_, i) => i % Math.ceil(shown.length / most) === 0);
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function steps(low: number, high: number, most: number): number[] {
  // The count that d3 takes is a wish.
  for (let count = most; count > 0; count--) {
    const values = ticks(low, high, count);
    if (values.length <= most) return values;
  }
  return [];
}
