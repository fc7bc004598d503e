import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Marks } from '../layout/layout.ts';
import type { ColourScale } from './colour-scale.ts';
import type { Paint } from './paint.ts';
import type { Palette } from './palettes.ts';
import type { Tones } from './tones.ts';

/** How marks of one form are painted and felt for. */
export type Painter = {
  /**
   * Fills, and texts where there is time for them; highlights come over it. What costs more than a part of a frame is done
   * in steps, each when the next one is asked for.
   */
  readonly paint: (context: PaintContext) => Iterable<void> | void;
  readonly shape: Shape;
};

/** The geometry of one mark, in CSS pixels in the viewport. */
export type Shape = {
  /** Distance of a point from the mark, squared; 0 inside. */
  readonly distance2: (marks: Marks, mark: number, x: number, y: number) => number;
  /** Distance of a point from where the mark and what is below it may lie, squared: a bound for the way down. */
  readonly reach2: (marks: Marks, mark: number, x: number, y: number) => number;
  /** A point inside that stands for the mark. */
  readonly middle: (marks: Marks, mark: number) => { readonly x: number; readonly y: number };
  /** Adds the mark's edge to the path, `inset` pixels further in. */
  readonly trace: (context: PaintContext, mark: number, inset: number) => void;
  /** Where marks are upright boxes, the edges that `trace` follows but for its round corners. */
  readonly edges?: (
    context: PaintContext,
    mark: number,
    inset: number,
  ) => readonly [x: number, y: number, w: number, h: number];
};

/** What the parts of one picture share. */
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
