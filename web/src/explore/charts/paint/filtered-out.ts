import type { PaintContext } from './painter.ts';
import { textureOf } from './textures.ts';

/** How much of the canvas lies over what a filter leaves out, and how strong the stripes over that are. */
const veil = 0.72;
const stripes = 0.4;
/** Marks smaller than this, in CSS pixels, have no stripes: they could not be seen. */
const stripedPx = 10;

/**
 * Marks of what a filter leaves out stay, faint and striped, whatever they are coloured by. Points lie over each other, and
 * are veiled as they are drawn.
 */
export function veilLeftOut(context: PaintContext): void {
  const { marks, tree } = context;
  if (tree.shape === tree) return;
  const isLeftOut = (i: number) => i !== -1 && tree.isLeftOut(marks.row[i]!);
  // Where marks lie in others, what is around them veils them.
  const isNested = marks.form === 'boxes' || marks.form === 'circles';
  for (let i = marks.form === 'scatter' ? marks.plot.listedFrom : 0; i < marks.count; i++) {
    if (isLeftOut(i) && !(isNested && isLeftOut(marks.parent[i]!))) veilMark(context, i, 0);
  }
}

/** @param inset how far inside its edge, in CSS pixels */
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
