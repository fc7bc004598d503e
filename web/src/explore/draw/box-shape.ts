import { snap } from './brush.ts';
import type { Shape } from './drawing.ts';

/** Upright rectangles. An edge that leaves the viewport is traced along its border. */
export const boxShape: Shape = {
  distance2({ x0, y0, x1, y1 }, i, x, y) {
    const besideX = Math.max(x0[i]! - x, x - x1[i]!, 0);
    const besideY = Math.max(y0[i]! - y, y - y1[i]!, 0);
    return besideX * besideX + besideY * besideY;
  },

  middle: ({ x0, y0, x1, y1 }, i) => ({ x: (x0[i]! + x1[i]!) / 2, y: (y0[i]! + y1[i]!) / 2 }),

  trace({ ctx, marks, paint }, i, inset) {
    const [viewWidth, viewHeight] = [ctx.canvas.width / paint.dpr, ctx.canvas.height / paint.dpr];
    const left = snap(Math.max(marks.x0[i]!, -9), paint.dpr) + inset;
    const top = snap(Math.max(marks.y0[i]!, -9), paint.dpr) + inset;
    const right = snap(Math.min(marks.x1[i]!, viewWidth + 9), paint.dpr) - inset - 1;
    const bottom = snap(Math.min(marks.y1[i]!, viewHeight + 9), paint.dpr) - inset - 1;
    ctx.roundRect(left, top, Math.max(1, right - left), Math.max(1, bottom - top), 4);
  },
};
