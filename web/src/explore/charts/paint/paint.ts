import type { ColourBy, PatternMaker, SizeBy, Steps } from '../../model/encodings.ts';
import type { Glow } from '../../model/search-results.ts';
import type { Window } from './glow.ts';

export type Theme = 'light' | 'dark';

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
