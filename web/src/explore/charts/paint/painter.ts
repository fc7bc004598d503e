import type { Theme } from '../../../ui/environment.ts';
import type { ColourBy, PatternMaker, SizeBy, Steps } from '../../model/encodings.ts';
import type { Glow } from '../../model/search-results.ts';
import type { WarningMarkMap } from '../../model/warning-marks.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Layout, Marks } from '../layout/layout.ts';
import type { Palette, Tones } from './colours.ts';
import type { Window } from './glow.ts';
import type { Writers } from './text.ts';
import type { ColourScale } from './value-steps.ts';

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
};

/** How marks of one form are painted and hit-tested. */
export type Painter = {
  /**
   * Fills and texts; highlights are drawn over it. Work that takes longer than a part of a frame is divided into steps.
   */
  readonly paint: (context: PaintContext) => Iterable<void> | void;
  readonly shape: Shape;
};

/** The geometry of one mark, in CSS pixels in the viewport. */
export type Shape = {
  /** Squared distance of a point from the mark; 0 inside. */
  readonly distance2: (marks: Marks, mark: number, x: number, y: number) => number;
  /**
   * Squared distance of a point from the area that the mark and its descendants may cover: a bound for the hit test.
   */
  readonly reach2: (marks: Marks, mark: number, x: number, y: number) => number;
  /** A point inside the mark. */
  readonly middle: (marks: Marks, mark: number) => { readonly x: number; readonly y: number };
  /** Adds the edge of the mark to the path, `inset` pixels further in. */
  readonly trace: (context: PaintContext, mark: number, inset: number) => void;
  /** If marks are upright boxes: the edges that `trace` follows, without the round corners. */
  readonly edges?: (
    context: PaintContext,
    mark: number,
    inset: number,
  ) => readonly [x: number, y: number, w: number, h: number];
};

/** What the parts of one painter share. */
export type PaintContext = {
  readonly ctx: CanvasRenderingContext2D;
  readonly marks: Marks;
  readonly shape: Shape;
  readonly tree: LoadedTree;
  readonly paint: Paint;
  readonly palette: Palette;
  readonly scale: ColourScale;
  readonly tones: Tones;
  readonly writers: Writers;
  /** What covers the marks in places, such as the numbers of warnings; texts end before these. */
  readonly plates: readonly Plate[];
};

/** A number with its sign on a plate over the marks: its middle and its size, in CSS pixels. */
export type Plate = {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** The size of the viewport, in CSS pixels. */
export const viewOf = ({ ctx: { canvas }, paint: { dpr } }: Pick<PaintContext, 'ctx' | 'paint'>) =>
  ({ width: canvas.width / dpr, height: canvas.height / dpr }) as const;

/** The nearest edge between device pixels. */
export function snap(value: number, dpr: number): number {
  return Math.round(value * dpr) / dpr;
}

/** One chart: where its marks are, and how they are painted. */
export type Chart = {
  /** Makes a layout for one canvas. Layouts keep state, so canvases do not share them. */
  readonly createLayout: () => Layout;
  readonly painter: Painter;
};
