import type { PaintContext } from './painter.ts';

/** Plain to see, and names over it can be read. */
const strength = 0.3;

/**
 * Lays the pattern of a colour over the path under way, where patterns are on; for marks big enough to show one.
 *
 * @param ink that is seen on the mark
 */
export function fillPattern({ ctx, paint, scale }: PaintContext, index: number, ink: string): void {
  const pattern = paint.patterns?.(ctx, index, scale.isSequential, ink, paint.dpr);
  if (!pattern) return;
  ctx.fillStyle = pattern;
  ctx.globalAlpha = strength;
  ctx.fill();
  ctx.globalAlpha = 1;
}
