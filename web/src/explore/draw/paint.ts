import type { SizeBy } from '../layouts/layout.ts';

export type Theme = 'light' | 'dark';

export type ColourBy = 'pillar' | 'depth' | 'type' | 'difficulty' | 'volume' | 'cpc' | 'intent';

/** How marks are to look. Rows are held rows; -1 is none. */
export type Paint = {
  readonly theme: Theme;
  readonly colourBy: ColourBy;
  /** What marks are sized by, and so which figure they carry. */
  readonly sizeBy: SizeBy;
  /** Mark under the pointer: its path to the focus is lit. -1 for none. */
  readonly hover: number;
  readonly selection: ReadonlySet<number>;
  /** Rows of search hits. */
  readonly hits: ReadonlySet<number>;
  /** Row with the keyboard's focus ring; -1 for none. */
  readonly focusRing: number;
  /** Device pixels a CSS pixel. */
  readonly dpr: number;
  /** Whether there is time for labels, halos and textures; false draws plain shapes. Default true. */
  readonly labels?: boolean;
};
