import type { ScoreRollUp } from '@kc/pack/score/score';
import type { Metric } from '../tree-data/figures.ts';

/** What the size of a mark encodes. `equal` gives every leaf the same weight; a metric counts known values above 0. */
export type SizeBy = Metric | 'equal';

/** What the colour of a mark encodes. */
export type ColourBy = 'pillar' | 'depth' | 'type' | 'intent' | MarkColour | Metric;

/** What is not in the file: changes since an earlier upload, and the plan. */
export type MarkColour = 'change' | 'plan' | 'covered';
export const isMarkColour = (key: string): key is MarkColour => key === 'change' || key === 'plan' || key === 'covered';

/** Encodings of the tree itself, available in every visualization. */
type Structure = 'pillar' | 'depth' | 'type' | 'equal';
export const isStructure = (key: ColourBy | SizeBy): key is Structure =>
  key === 'pillar' || key === 'depth' || key === 'type' || key === 'equal';

/** The spacing of colour steps, or of the values of an axis: linear or logarithmic. */
export type Steps = 'even' | 'log';

/** The metrics on the axes of Opportunity. */
export type Axes = { readonly x: Metric; readonly y: Metric };
export const defaultAxes: Axes = { x: 'difficulty', y: 'volume' };

/** Where a score can be used at once when it is applied. */
export const scoreUses = ['sort', 'colour', 'size', 'axis'] as const;
export type ScoreUse = (typeof scoreUses)[number];

/** A score that is being defined, and what it will be used for. */
export type ScoreDraft = {
  /** The formula as typed. */
  readonly text: string;
  readonly rollUp: ScoreRollUp;
  readonly uses: ReadonlySet<ScoreUse>;
};

/**
 * Makes the pattern for one colour of a scale, in an ink that contrasts with its background. On a sequential scale, a
 * higher value gets a denser pattern.
 *
 * @param index of the colour in `ColourScale`
 * @returns undefined for a mark that has a texture of its own, or none
 */
export type PatternMaker = (
  ctx: CanvasRenderingContext2D,
  index: number,
  isSequential: boolean,
  ink: string,
  dpr: number,
) => CanvasPattern | undefined;
