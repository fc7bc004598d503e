import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Marks } from '../layout/layout.ts';
import type { ColourScale } from './colour-scale.ts';
import type { Paint } from './paint.ts';
import type { Shape } from './painter.ts';
import type { Palette } from './palettes.ts';
import type { Tones } from './tones.ts';

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
