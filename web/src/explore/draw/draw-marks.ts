import type { Marks } from '../layouts/layout.ts';
import type { HeldTree } from '../store/held-tree.ts';
import { drawBoxLabels } from './box-labels.ts';
import { drawBoxes } from './boxes.ts';
import type { Brush } from './brush.ts';
import { colourScale } from './colour-scale.ts';
import { drawHighlights } from './highlights.ts';
import { drawLinks } from './links.ts';
import type { Paint } from './paint.ts';
import { palettes } from './palettes.ts';
import { tonesOf } from './tones.ts';

/**
 * Paints marks over the whole canvas, one canvas unit a CSS pixel.
 *
 * Cost: the marks; text is measured once and remembered.
 */
export function drawMarks(ctx: CanvasRenderingContext2D, marks: Marks, tree: HeldTree, paint: Paint): void {
  const palette = palettes[paint.theme];
  ctx.setTransform(paint.dpr, 0, 0, paint.dpr, 0, 0);
  ctx.fillStyle = palette.canvas;
  ctx.fillRect(0, 0, ctx.canvas.width / paint.dpr, ctx.canvas.height / paint.dpr);
  if (marks.count === 0) return;
  const scale = colourScale(tree, paint.colourBy, paint.theme);
  const brush: Brush = { ctx, marks, tree, paint, palette, scale, tones: tonesOf(scale, paint.theme) };
  if (marks.form === 'boxes') {
    drawBoxes(brush);
    if (paint.labels !== false) drawBoxLabels(brush);
  } else {
    drawLinks(brush);
  }
  drawHighlights(brush);
}
