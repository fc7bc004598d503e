import type { Metric } from '../../tree-data/figures.ts';
import type { SizeBy } from '../layout/layout.ts';
import type { Glow, Window } from './glow.ts';

export type Theme = 'light' | 'dark';

export type ColourBy = 'pillar' | 'depth' | 'type' | 'intent' | Metric;

/** How the steps between colours lie: even in the value, or in its order of magnitude. */
export type Steps = 'even' | 'log';

/**
 * The pattern of a colour of a scale, in an ink that its ground lets be seen; of an amount, the denser the more.
 *
 * @param index of the colour, see `ColourScale`; undefined for what has a texture of its own, or none
 */
export type PatternMaker = (
  ctx: CanvasRenderingContext2D,
  index: number,
  isSequential: boolean,
  ink: string,
  dpr: number,
) => CanvasPattern | undefined;

/** How marks are to look. Rows are held rows; -1 is none. */
export type Paint = {
  readonly theme: Theme;
  readonly colourBy: ColourBy;
  /** Undefined as the values ask for. */
  readonly steps?: Steps | undefined;
  /** Whether names have the colours that the colour-blind tell apart. */
  readonly isSafe?: boolean;
  /** Where marks have a pattern beside their colour. */
  readonly patterns?: PatternMaker | undefined;
  /** What marks are sized by, and so which figure they carry. */
  readonly sizeBy: SizeBy;
  /** Mark under the pointer: its path to the focus is lit. -1 for none. */
  readonly hover: number;
  readonly selection: ReadonlySet<number>;
  /** Where search hits lie; undefined without a search. */
  readonly glow: Glow | undefined;
  /** Mark of the hit that is lit while a list of them is walked. -1 for none. */
  readonly previewed: number;
  /** What of the picture can be seen. */
  readonly window: Window;
  /** Row with the keyboard's focus ring; -1 for none. */
  readonly focusRing: number;
  /** Device pixels a CSS pixel. */
  readonly dpr: number;
  /** Whether there is time for labels, halos and textures; false draws plain shapes. Default true. */
  readonly labels?: boolean;
};
