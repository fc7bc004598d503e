import type { Steps } from '../../model/encodings.ts';
import type { Figures } from '../../tree-data/figures.ts';

/** The bounds between the colours of a numeric scale. */
export type StepBounds = {
  /** The bounds between steps, ascending; one fewer than there are steps. */
  readonly bounds: readonly number[];
  /** The spacing of the steps, and whether the values span orders of magnitude, so that the user can choose. */
  readonly steps: Steps;
  readonly isSkewed: boolean;
  /** Whether there are values on both sides of 0, with the middle step around it. */
  readonly isDiverging: boolean;
};

/** Number of steps of a scale. */
export const stepCount = 7;
/** Values are skewed if their 95th percentile is more than this many times the median. */
const skewed = 20;
/** Maximum number of values sampled: enough for the distribution, few enough for a frame. */
const maxSampled = 20_000;

/**
 * @param steps chosen by the user; undefined: chosen from the values. @param size number of rows; the first, the root,
 * is skipped
 */
export function boundsOf(values: Figures['value'], size: number, steps: Steps | undefined): StepBounds {
  const sorted = sampleOfKnown(values, size);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const [low, high] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  const isSkewed = low >= 0 && high > 0 && at(0.95) > skewed * at(0.5);
  const isDiverging = low < 0 && high > 0;
  const chosen = low < 0 ? 'even' : (steps ?? (isSkewed ? 'log' : 'even'));
  const bounds = isDiverging
    ? around0(Math.max(-at(0.02), at(0.98)))
    : chosen === 'log'
      ? magnitudes(sorted.find((value) => value > 0) ?? 0, high)
      : even(at(0.02), at(0.98));
  return { bounds: rounded(bounds), steps: chosen, isSkewed, isDiverging };
}

/** Difficulty runs from 0 to 100, and a scale spans at least this much of it: smaller differences are meaningless. */
const minDifficultySpan = 28;

/** Steps fitted to the difficulties in the data. Parameters are as in {@link boundsOf}. */
export function difficultyBounds(values: Figures['value'], size: number): StepBounds {
  const sorted = sampleOfKnown(values, size);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 50;
  const [low, high] = [at(0.02), at(0.98)];
  const missing = Math.max(0, minDifficultySpan - (high - low)) / 2;
  const start = Math.max(0, Math.min(low - missing, 100 - minDifficultySpan));
  const bounds = even(start, Math.max(high + missing, start + minDifficultySpan));
  return { bounds: bounds.map(Math.round), steps: 'even', isSkewed: false, isDiverging: false };
}

/** Known values in ascending order, sampled evenly if there are very many. */
function sampleOfKnown(values: Figures['value'], size: number): Float64Array {
  const stride = Math.max(1, Math.ceil(size / maxSampled));
  const known: number[] = [];
  for (let row = size > 1 ? 1 : 0; row < size; row += stride) if (!Number.isNaN(values[row]!)) known.push(values[row]!);
  return Float64Array.from(known).sort();
}

/** Outliers belong to the step at their end. */
function even(low: number, high: number): number[] {
  if (!(high > low)) return [];
  return inner((share) => low + (high - low) * share);
}

function magnitudes(low: number, high: number): number[] {
  if (!(high > low) || low <= 0) return [];
  return inner((share) => low * (high / low) ** share);
}

function around0(max: number): number[] {
  return inner((share) => max * (2 * share - 1));
}

const inner = (at: (share: number) => number): number[] =>
  Array.from({ length: stepCount - 1 }, (_, i) => at((i + 1) / stepCount));

/** Readable bounds: rounded to two digits, without duplicates. */
const rounded = (bounds: readonly number[]): number[] => [
  ...new Set(bounds.map((bound) => Number(bound.toPrecision(2)))),
];

/**
 * The colour of each row, as an index into `colours`. Index 0 is for nodes without a value on the scale (the root,
 * nodes above the pillars, values still loading); index 1 is for unknown values, which are hatched.
 */
export type ColourScale = {
  readonly colours: readonly string[];
  /** By row. */
  readonly indexOf: Uint8Array;
  /** Whether the colours encode amounts: such marks keep them at full strength, and groups stay neutral. */
  readonly isSequential: boolean;
  /** Undefined if the colours encode names, or steps that are named. */
  readonly steps: StepBounds | undefined;
  /** By index, the sign that marks of this colour have as well. */
  readonly signs?: readonly (string | undefined)[];
  /** Marks of this index and above have a dashed outline. */
  readonly outlinedFrom?: number;
};

export const neutralIndex = 0;
export const unknownIndex = 1;
export const firstIndex = 2;

/** The number of bounds that a value reaches. A value of a 32-bit column reaches its own bound, which a filter rounds likewise. */
export function stepOf(value: number, bounds: readonly number[]): number {
  let step = 0;
  while (step < bounds.length && (value >= bounds[step]! || value === Math.fround(bounds[step]!))) step++;
  return step;
}
