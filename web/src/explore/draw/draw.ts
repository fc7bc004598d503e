import type { Marks } from '../layouts/layout.ts';
import type { HeldTree } from '../store/held-tree.ts';
import type { Paint } from './paint.ts';

/** Paints marks over the whole canvas. The context is scaled to CSS pixels by `paint.dpr` here. See draw-marks.ts. */
export type DrawMarks = (ctx: CanvasRenderingContext2D, marks: Marks, tree: HeldTree, paint: Paint) => void;

/** The mark at a point, or the nearest one within `slop` CSS pixels; -1 for none. See hit-test.ts. */
export type HitTest = (marks: Marks, x: number, y: number, slop: number) => number;

/** One line of the legend: a swatch and what it stands for. See legend.ts. */
export type LegendEntry = {
  /** A CSS colour. */
  readonly colour: string;
  readonly label: string;
  /** Whether the swatch is the hatched one of unknown values. */
  readonly unknown: boolean;
  /** Held row of the pillar that the entry stands for, -1 for none. */
  readonly row: number;
  /** Keywords that the entry stands for; undefined where that is not known. */
  readonly keywords: number | undefined;
};
