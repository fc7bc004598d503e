import type { ColourBy, PatternMaker, SizeBy, Steps } from '../../model/encodings.ts';
import type { Glow } from '../../model/search-results.ts';
import type { WarningMarkMap } from '../../model/warning-marks.ts';
import type { Window } from './glow.ts';

export type Theme = 'light' | 'dark';

/** How marks look. Rows are loaded rows; -1 is none. */
export type Paint = {
  readonly theme: Theme;
  readonly colourBy: ColourBy;
  /** Undefined: chosen from the values. */
  readonly steps?: Steps | undefined;
  /** Whether colours are those that colour-blind users can distinguish. Default false. */
  readonly isColourBlindSafe?: boolean;
  /** Set if marks have a pattern in addition to their colour. */
  readonly patterns?: PatternMaker | undefined;
  /** The size encoding, which also decides the figure in a mark. */
  readonly sizeBy: SizeBy;
  /** Mark under the pointer, whose path to the focus is highlighted. -1 for none. */
  readonly hover: number;
  readonly selection: ReadonlySet<number>;
  /** Where search hits are; undefined without a search. */
  readonly glow: Glow | undefined;
  /** Mark of the hit that is highlighted while the user steps through a list of hits. -1 for none. */
  readonly previewed: number;
  /** The visible part of the chart. */
  readonly window: Window;
  /** Row with the keyboard focus ring; -1 for none. */
  readonly focusRing: number;
  /** The warnings to mark, by pack row; undefined for none. */
  readonly warnings?: WarningMarkMap | undefined;
  /** Device pixels per CSS pixel. */
  readonly dpr: number;
  /** Whether there is time for labels, halos and textures; false draws plain shapes. Default true. */
  readonly labels?: boolean;
};
