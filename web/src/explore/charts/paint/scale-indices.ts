import type { StepBounds } from './value-steps.ts';

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

/** The number of bounds that a value reaches. */
export function stepOf(value: number, bounds: readonly number[]): number {
  let step = 0;
  while (step < bounds.length && value >= bounds[step]!) step++;
  return step;
}
