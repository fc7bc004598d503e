import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Marks } from '../layout/layout.ts';
import { colourScale } from './colour-scale.ts';
import { drawHighlights } from './highlights.ts';
import { markPainting } from './mark-painting.ts';
import type { Paint } from './paint.ts';
import type { PaintContext, Painter } from './painter.ts';
import { paletteOf } from './palettes.ts';
import { tonesOf } from './tones.ts';

/**
 * Paints marks over the whole canvas, with one canvas unit per CSS pixel.
 *
 * Cost: the marks; text is measured once and cached.
 */
export function drawMarks(...what: Parameters<typeof drawInSteps>): void {
  for (const _ of drawInSteps(...what));
}

/**
 * Like {@link drawMarks}, in steps: each call of `next` draws a part. The marks must not change until the last step.
 */
export function* drawInSteps(
  ctx: CanvasRenderingContext2D,
  { paint: paintMarks, shape }: Painter,
  marks: Marks,
  tree: LoadedTree,
  paint: Paint,
): Generator<void> {
  const palette = paletteOf(paint.theme, paint.isColourBlindSafe);
  ctx.setTransform(paint.dpr, 0, 0, paint.dpr, 0, 0);
  ctx.fillStyle = palette.canvas;
  ctx.fillRect(0, 0, ctx.canvas.width / paint.dpr, ctx.canvas.height / paint.dpr);
  if (marks.count === 0) return;
  const scale = colourScale(tree, paint);
  const context: PaintContext = { ctx, marks, shape, tree, paint, palette, scale, tones: tonesOf(scale, paint.theme) };
  yield* paintMarks(context) ?? [];
  const special = markPainting();
  special?.veilLeftOut(context);
  special?.drawGone(context);
  if (paint.labels !== false && scale.signs) special?.drawSigns(context);
  if (paint.labels !== false && paint.warnings) special?.drawWarnings(context, paint.warnings);
  drawHighlights(context);
}
