import type { Steps } from '../../model/encodings.ts';
import type { Figures } from '../../tree-data/figures.ts';

/** Where one colour of a number ends and the next begins. */
export type StepBounds = {
  /** Between the steps, ascending; one fewer than there are steps. */
  readonly bounds: readonly number[];
  /** How they lie, and whether the values ask for orders of magnitude, so that there is a choice. */
  readonly steps: Steps;
  readonly isSkewed: boolean;
  /** Whether there are values on both sides of 0, which the middle step lies around. */
  readonly isDiverging: boolean;
};

/** Steps of a scale. Source: design §1.3. */
export const stepCount = 7;
/** Values are skewed when the 95th of a hundred is more than so many times the middle one. Source: experience.md §5.2. */
const skewed = 20;
/** Values that are looked at, at most: enough for their shape, few enough for a frame. */
const mostLooked = 20_000;

/** @param steps chosen by a person; undefined as the values ask for. @param size rows; the first, the root, is passed over */
export function boundsOf(values: Figures['value'], size: number, steps: Steps | undefined): StepBounds {
  const sorted = someKnown(values, size);
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

/** Difficulty runs from 0 to 100, and a scale spans at least so much of it: smaller differences say nothing. */
const leastDifficultySpan = 28;

/** Steps that are fitted to the difficulties at hand. Parameters are as in {@link boundsOf}. */
export function difficultyBounds(values: Figures['value'], size: number): StepBounds {
  const sorted = someKnown(values, size);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 50;
  const [low, high] = [at(0.02), at(0.98)];
  const missing = Math.max(0, leastDifficultySpan - (high - low)) / 2;
  const start = Math.max(0, Math.min(low - missing, 100 - leastDifficultySpan));
  const bounds = even(start, Math.max(high + missing, start + leastDifficultySpan));
  return { bounds: bounds.map(Math.round), steps: 'even', isSkewed: false, isDiverging: false };
}

/** Known values in ascending order, every so many-th where there are very many. */
function someKnown(values: Figures['value'], size: number): Float64Array {
  const stride = Math.max(1, Math.ceil(size / mostLooked));
  const known: number[] = [];
  for (let row = size > 1 ? 1 : 0; row < size; row += stride) if (!Number.isNaN(values[row]!)) known.push(values[row]!);
  return Float64Array.from(known).sort();
}

/** A few values that are far off belong to the step at their end. */
function even(low: number, high: number): number[] {
  if (!(high > low)) return [];
  return inner((share) => low + (high - low) * share);
}

function magnitudes(low: number, high: number): number[] {
  if (!(high > low) || low <= 0) return [];
  return inner((share) => low * (high / low) ** share);
}

function around0(most: number): number[] {
  return inner((share) => most * (2 * share - 1));
}

const inner = (at: (share: number) => number): number[] =>
  Array.from({ length: stepCount - 1 }, (_, i) => at((i + 1) / stepCount));

/** Bounds that can be read: two digits of each, and none twice. */
const rounded = (bounds: readonly number[]): number[] => [
  ...new Set(bounds.map((bound) => Number(bound.toPrecision(2)))),
];
