import type { PaintContext } from './painter.ts';
import { textureOf } from './textures.ts';

/** The opacity of the veil over nodes that a filter excludes, and of the stripes over it. */
const veil = 0.72;
const stripes = 0.4;
/** Marks smaller than this, in CSS pixels, have no stripes: they would not be visible. */
const stripedPx = 10;

/**
 * Marks that a filter excludes stay, faint and striped, whatever the colour encoding. Points overlap, so they are
 * veiled while they are drawn.
 */
export function veilLeftOut(context: PaintContext): void {
  const { marks, tree } = context;
  if (tree.shape === tree) return;
  const isLeftOut = (i: number) => i !== -1 && tree.isLeftOut(marks.row[i]!);
  // In nested charts, the veil of a mark also covers the marks in it.
  const isNested = marks.form === 'boxes' || marks.form === 'circles';
  for (let i = marks.form === 'scatter' ? marks.plot.listedFrom : 0; i < marks.count; i++) {
    if (isLeftOut(i) && !(isNested && isLeftOut(marks.parent[i]!))) veilMark(context, i, 0);
  }
}

/** @param inset distance inside the edge, in CSS pixels */
export function veilMark(context: PaintContext, i: number, inset: number): void {
  const { ctx, marks, shape, paint, palette } = context;
  ctx.beginPath();
  shape.trace(context, i, inset);
  ctx.globalAlpha = veil;
  ctx.fillStyle = palette.canvas;
  ctx.fill();
  const side = Math.min(marks.x1[i]! - marks.x0[i]!, marks.y1[i]! - marks.y0[i]!);
  if (side >= stripedPx && paint.labels !== false) {
    ctx.globalAlpha = stripes;
    ctx.fillStyle = textureOf(ctx, 'stripes', palette.neutral, paint.dpr);
    ctx.fill();
  }
  ctx.globalAlpha = 1;
}
