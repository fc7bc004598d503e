/** A scale: how the values of one metric map to a line. */
export type Axis = {
  readonly isLog: boolean;
  /** Both ends of the line, as {@link placeOf} returns them. */
  readonly low: number;
  readonly high: number;
  /** No values are below this, so no ticks either. */
  readonly least: number;
};

/** Values are skewed if their 95th percentile is more than this many times the median. */
const skewed = 20;
/** Padding at both ends, as a share of the line. */
const padding = 0.07;

/**
 * The axis for some values, all of them known.
 *
 * @param bounds the limits of possible values
 */
export function axisFor(values: Float64Array, bounds: { readonly least: number; readonly most: number }): Axis {
  const sorted = values.slice().sort();
  const median = medianOf(sorted);
  const isLog = bounds.most === Number.POSITIVE_INFINITY && quantile(sorted, 0.95) > skewed * Math.max(1, median);
  const place = (value: number) => placeOf({ isLog }, value);
  const [least, most] = [place(sorted[0] ?? 0), place(sorted.at(-1) ?? 0)];
  const leastRoom = isLog ? 0.2 : most > least ? 0 : Math.max(1, Math.abs(most) * 0.05);
  const room = Math.max((most - least) * padding, leastRoom);
  return {
    isLog,
    least: bounds.least,
    low: Math.max(place(bounds.least) - room / 2, least - room),
    high: Math.min(place(bounds.most), most + room),
  };
}

/** The position of a value: itself, or its logarithm; of the value plus one, so that 0 has a position too. */
export function placeOf({ isLog }: Pick<Axis, 'isLog'>, value: number): number {
  return isLog ? Math.log10(value + 1) : value;
}

/** @param sorted ascending; 0 if empty */
export const medianOf = (sorted: Float64Array): number => quantile(sorted, 0.5);

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Round values between two positions, at most `most` of them, and at least one if there is any. */
export function roundValues({ isLog, least }: Axis, low: number, high: number, most: number): number[] {
  return isLog ? magnitudes(low, high, most) : steps(Math.max(low, least), high, most);
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
  if (!(high > low)) return [];
  const least = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= least) ?? 10 * power;
  const first = Math.ceil(low / step);
  const count = Math.max(0, Math.floor(high / step) - first + 1);
  // Rounding to twelve digits removes the error of many small steps.
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
