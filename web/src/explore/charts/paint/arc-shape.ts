import type { Arcs, Marks } from '../layout/layout.ts';
import type { Shape } from './painter.ts';

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

/** Direction of a vector in turns clockwise from the top, 0 to 1. */
export const turnOf = (dx: number, dy: number): number => (Math.atan2(dx, -dy) / (2 * Math.PI) + 1) % 1;

export const angleOf = (turns: number): number => turns * 2 * Math.PI;

/** Turns between a direction and the nearer end of a mark; 0 within it. */
function turnsBeside({ from, to }: Arcs, i: number, turn: number): number {
  if (turn >= from[i]! && turn <= to[i]!) return 0;
  const [after, before] = [(turn - to[i]! + 1) % 1, (from[i]! - turn + 1) % 1];
  return to[i]! - from[i]! >= 1 ? 0 : Math.min(after, before);
}
