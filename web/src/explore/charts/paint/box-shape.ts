import type { Marks } from '../layout/layout.ts';
import { type PaintContext, type Shape, snap } from './painter.ts';

/** Nested upright rectangles. An edge outside the viewport is traced along the border of the viewport. */
export const boxShape: Shape = {
  distance2,
  reach2: distance2,

  middle: ({ x0, y0, x1, y1 }, i) => ({ x: (x0[i]! + x1[i]!) / 2, y: (y0[i]! + y1[i]!) / 2 }),

  trace: (context, i, inset) => context.ctx.roundRect(...edges(context, i, inset), 4),
  edges,
};

function edges({ ctx, marks, paint }: PaintContext, i: number, inset: number) {
  const [viewWidth, viewHeight] = [ctx.canvas.width / paint.dpr, ctx.canvas.height / paint.dpr];
  const left = snap(Math.max(marks.x0[i]!, -9), paint.dpr) + inset;
  const top = snap(Math.max(marks.y0[i]!, -9), paint.dpr) + inset;
  const right = snap(Math.min(marks.x1[i]!, viewWidth + 9), paint.dpr) - inset - 1;
  const bottom = snap(Math.min(marks.y1[i]!, viewHeight + 9), paint.dpr) - inset - 1;
  return [left, top, Math.max(1, right - left), Math.max(1, bottom - top)] as const;
}

/** Rectangles with their descendants to the right, between their upper and lower edge. */
export const barShape: Shape = {
  ...boxShape,
  reach2: ({ y0, y1 }, i, _x, y) => Math.max(y0[i]! - y, y - y1[i]!, 0) ** 2,
};

/** Rectangles with their descendants to the right, also above and below them. */
export const linkShape: Shape = {
  ...boxShape,
  reach2(marks, i, _x, y) {
    const { top, bottom } = branchesOf(marks);
    return Math.max(top[i]! - y, y - bottom[i]!, 0) ** 2;
  },
};

type Branches = { readonly top: Float64Array; readonly bottom: Float64Array };

const branches = new WeakMap<Marks, Branches>();

/** The vertical extent of each mark with its descendants; computed once per layout, on the first hit test. */
function branchesOf(marks: Marks): Branches {
  const known = branches.get(marks);
  if (known) return known;
  const [top, bottom] = [marks.y0.slice(0, marks.count), marks.y1.slice(0, marks.count)];
  for (let i = marks.count - 1; i > 0; i--) {
    const parent = marks.parent[i]!;
    top[parent] = Math.min(top[parent]!, top[i]!);
    bottom[parent] = Math.max(bottom[parent]!, bottom[i]!);
  }
  branches.set(marks, { top, bottom });
  return { top, bottom };
}

function distance2({ x0, y0, x1, y1 }: Marks, i: number, x: number, y: number): number {
  const besideX = Math.max(x0[i]! - x, x - x1[i]!, 0);
  const besideY = Math.max(y0[i]! - y, y - y1[i]!, 0);
  return besideX * besideX + besideY * besideY;
}
