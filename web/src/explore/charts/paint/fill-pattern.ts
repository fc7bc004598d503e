import type { PaintContext } from './painter.ts';

/** Clearly visible, with names still readable over it. */
const strength = 0.3;

/**
 * Fills the current path with the pattern of a colour, if patterns are enabled; for marks large enough to show one.
 *
 * @param ink a colour that is visible on the mark
 */
export function fillPattern({ ctx, paint, scale }: PaintContext, index: number, ink: string): void {
  const pattern = paint.patterns?.(ctx, index, scale.isSequential, ink, paint.dpr);
  if (!pattern) return;
  ctx.fillStyle = pattern;
  ctx.globalAlpha = strength;
  ctx.fill();
  ctx.globalAlpha = 1;
}
