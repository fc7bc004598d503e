import { type Arcs, type Marks, markKind, turnOf } from '../layout/layout.ts';
import { type PaintContext, type Shape, snap, viewOf } from './painter.ts';

/** Nested upright rectangles. An edge outside the viewport is traced along the border of the viewport. */
export const boxShape: Shape = {
  distance2: distanceToBox2,
  reach2: distanceToBox2,

  middle: ({ x0, y0, x1, y1 }, i) => ({ x: (x0[i]! + x1[i]!) / 2, y: (y0[i]! + y1[i]!) / 2 }),

  trace: (context, i, inset) => context.ctx.roundRect(...edges(context, i, inset), 4),
  edges,
};

function edges(context: PaintContext, i: number, inset: number) {
  const { marks, paint } = context;
  const view = viewOf(context);
  const left = snap(Math.max(marks.x0[i]!, -9), paint.dpr) + inset;
  const top = snap(Math.max(marks.y0[i]!, -9), paint.dpr) + inset;
  const right = snap(Math.min(marks.x1[i]!, view.width + 9), paint.dpr) - inset - 1;
  const bottom = snap(Math.min(marks.y1[i]!, view.height + 9), paint.dpr) - inset - 1;
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
  const cached = branches.get(marks);
  if (cached) return cached;
  const [top, bottom] = [marks.y0.slice(0, marks.count), marks.y1.slice(0, marks.count)];
  for (let i = marks.count - 1; i > 0; i--) {
    const parent = marks.parent[i]!;
    top[parent] = Math.min(top[parent]!, top[i]!);
    bottom[parent] = Math.max(bottom[parent]!, bottom[i]!);
  }
  branches.set(marks, { top, bottom });
  return { top, bottom };
}

function distanceToBox2({ x0, y0, x1, y1 }: Marks, i: number, x: number, y: number): number {
  const besideX = Math.max(x0[i]! - x, x - x1[i]!, 0);
  const besideY = Math.max(y0[i]! - y, y - y1[i]!, 0);
  return besideX * besideX + besideY * besideY;
}

/** Circles that fill the square of their edges. */
export const circleShape: Shape = {
  distance2: distanceToCircle2,
  reach2: distanceToCircle2,

  middle: ({ x0, y0, x1, y1 }, i) => ({ x: (x0[i]! + x1[i]!) / 2, y: (y0[i]! + y1[i]!) / 2 }),

  trace({ ctx, marks }, i, inset) {
    const { x, y } = circleShape.middle(marks, i);
    ctx.arc(x, y, Math.max(1, (marks.x1[i]! - marks.x0[i]!) / 2 - inset), 0, 2 * Math.PI);
  },
};

function distanceToCircle2({ x0, y0, x1, y1 }: Marks, i: number, x: number, y: number): number {
  const radius = (x1[i]! - x0[i]!) / 2;
  const outside = Math.hypot(x - (x0[i]! + radius), y - (y0[i]! + y1[i]!) / 2) - radius;
  return outside <= 0 ? 0 : outside * outside;
}

/** Parts of rings around one centre, and the disc in it. */
export const arcShape: Shape = {
  distance2(marks, i, x, y) {
    const arcs = arcsOf(marks);
    const level = marks.level[i]!;
    const [dx, dy] = [x - arcs.x, y - arcs.y];
    const radius = Math.hypot(dx, dy);
    const across = Math.max(arcs.radii[level]! - radius, radius - arcs.radii[level + 1]!, 0);
    const along = angleOf(turnsBeside(arcs, i, turnOf(dx, dy))) * radius;
    return across * across + along * along;
  },

  reach2(marks, i, x, y) {
    const arcs = arcsOf(marks);
    const [dx, dy] = [x - arcs.x, y - arcs.y];
    return (angleOf(turnsBeside(arcs, i, turnOf(dx, dy))) * Math.hypot(dx, dy)) ** 2;
  },

  middle(marks, i) {
    const { x, y, radii } = arcsOf(marks);
    const level = marks.level[i]!;
    return level === 0 ? { x, y } : onArc(marks, i, (radii[level]! + radii[level + 1]!) / 2);
  },

  trace({ ctx, marks }, i, inset) {
    const { x, y, from, to, radii } = arcsOf(marks);
    const level = marks.level[i]!;
    const outer = Math.max(1, radii[level + 1]! - 1 - inset);
    if (level === 0) {
      ctx.arc(x, y, outer, 0, 2 * Math.PI);
      return;
    }
    const inner = Math.min(outer, radii[level]! + inset);
    const [start, end] = [angleOf(from[i]!) - Math.PI / 2, angleOf(to[i]!) - Math.PI / 2];
    const middle = (start + end) / 2;
    const cut = to[i]! - from[i]! >= 1 ? 0 : inset;
    ctx.arc(x, y, outer, Math.min(middle, start + cut / outer), Math.max(middle, end - (cut + 1) / outer));
    ctx.arc(x, y, inner, Math.max(middle, end - (cut + 1) / inner), Math.min(middle, start + cut / inner), true);
    ctx.closePath();
  },
};

/** The middle of an arc's outer edge; undefined for the disc in the centre. */
export function outerEdge(marks: Marks, i: number): { readonly x: number; readonly y: number } | undefined {
  const level = marks.level[i]!;
  return level === 0 ? undefined : onArc(marks, i, arcsOf(marks).radii[level + 1]!);
}

/** The point of an arc at a distance from the centre, halfway along it. */
export function onArc(marks: Marks, i: number, radius: number): { readonly x: number; readonly y: number } {
  const { x, y, from, to } = arcsOf(marks);
  const angle = angleOf((from[i]! + to[i]!) / 2);
  return { x: x + Math.sin(angle) * radius, y: y - Math.cos(angle) * radius };
}

/** @throws Error if the marks are not arcs: the painter was given the marks of another layout */
export function arcsOf(marks: Marks): Arcs {
  if (marks.form !== 'arcs') throw new Error(`${marks.form} are no arcs`);
  return marks.arcs;
}

export const angleOf = (turns: number): number => turns * 2 * Math.PI;

/** Turns between a direction and the nearer end of a mark; 0 within it. */
function turnsBeside({ from, to }: Arcs, i: number, turn: number): number {
  if (turn >= from[i]! && turn <= to[i]!) return 0;
  const [after, before] = [(turn - to[i]! + 1) % 1, (from[i]! - turn + 1) % 1];
  return to[i]! - from[i]! >= 1 ? 0 : Math.min(after, before);
}

/**
 * The mark at a point: the last one drawn that covers it. If none does, the nearest one within `slop`; if a branch of
 * circles covers it, the nearest small circle in it within that distance.
 *
 * The search descends from the focus, only into marks that may contain the point.
 *
 * Cost: the children of the branches on the way.
 *
 * @param slop in CSS pixels: 12 for a mouse, 22 for a finger
 * @returns a mark, or -1
 */
export function hitTest(marks: Marks, shape: Shape, x: number, y: number, slop: number): number {
  if (marks.count === 0) return -1;
  let nearest = -1;
  let minDistance2 = slop * slop;

  /** Whether a mark or one of its descendants covers the point; sets `nearest` to it. */
  function descend(mark: number): boolean {
    if (shape.reach2(marks, mark, x, y) > minDistance2) return false;
    for (let child = marks.childEnd[mark]! - 1; child >= marks.firstChild[mark]! && child > 0; child--) {
      if (descend(child)) return true;
    }
    const distance = shape.distance2(marks, mark, x, y);
    if (distance > minDistance2 || (nearest !== -1 && distance === minDistance2 && distance > 0)) return false;
    nearest = mark;
    minDistance2 = distance;
    return distance === 0;
  }

  const isCovered = descend(0);
  return isCovered && marks.form === 'circles' ? smallBeside(marks, nearest, x, y, slop) : nearest;
}

/** The small circle of a branch that is nearest to a point between them; the mark itself if there is none. */
function smallBeside(marks: Marks, mark: number, x: number, y: number, slop: number): number {
  if (marks.kind[mark] === markKind.node) return mark;
  // The tail of a branch is drawn below its children.
  const branch = marks.kind[mark] === markKind.tail ? marks.parent[mark]! : mark;
  let nearest = mark;
  let minDistance2 = slop * slop;
  for (let child = marks.firstChild[branch]!; child < marks.childEnd[branch]!; child++) {
    const radius = (marks.x1[child]! - marks.x0[child]!) / 2;
    if (marks.kind[child] === markKind.tail || radius >= slop) continue;
    const distance = (x - marks.x0[child]! - radius) ** 2 + (y - marks.y0[child]! - radius) ** 2;
    if (distance >= minDistance2) continue;
    nearest = child;
    minDistance2 = distance;
  }
  return nearest;
}
