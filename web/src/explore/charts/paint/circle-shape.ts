import type { Marks } from '../layout/layout.ts';
import type { Shape } from './painter.ts';

/** Circles that fill the square of their edges. */
export const circleShape: Shape = {
  distance2,
  reach2: distance2,

  middle: ({ x0, y0, x1, y1 }, i) => ({ x: (x0[i]! + x1[i]!) / 2, y: (y0[i]! + y1[i]!) / 2 }),

  trace({ ctx, marks }, i, inset) {
    const { x, y } = circleShape.middle(marks, i);
    ctx.arc(x, y, Math.max(1, (marks.x1[i]! - marks.x0[i]!) / 2 - inset), 0, 2 * Math.PI);
  },
};

function distance2({ x0, y0, x1, y1 }: Marks, i: number, x: number, y: number): number {
  const radius = (x1[i]! - x0[i]!) / 2;
  const outside = Math.hypot(x - (x0[i]! + radius), y - (y0[i]! + y1[i]!) / 2) - radius;
  return outside <= 0 ? 0 : outside * outside;
}
