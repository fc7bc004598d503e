import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Marks } from '../layout/layout.ts';
import type { Paint } from './paint.ts';
import type { Palette } from './palettes.ts';
import type { ColourScale } from './scale-indices.ts';
import type { Tones } from './tones.ts';

/** How marks of one form are painted and hit-tested. */
export type Painter = {
  /**
   * Fills, and texts if there is time for them; highlights are drawn over it. Work that takes longer than a part of a
   * frame is divided into steps.
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
};

/** The nearest edge between device pixels. */
export function snap(value: number, dpr: number): number {
  return Math.round(value * dpr) / dpr;
}
