import { type Marks, markKind } from '../layout/layout.ts';
import type { Shape } from './painter.ts';

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
  let least = slop * slop;

  /** Whether a mark or one of its descendants covers the point; sets `nearest` to it. */
  function descend(mark: number): boolean {
    if (shape.reach2(marks, mark, x, y) > least) return false;
    for (let child = marks.childEnd[mark]! - 1; child >= marks.firstChild[mark]! && child > 0; child--) {
      if (descend(child)) return true;
    }
    const distance = shape.distance2(marks, mark, x, y);
    if (distance > least || (nearest !== -1 && distance === least && distance > 0)) return false;
    nearest = mark;
    least = distance;
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
  let least = slop * slop;
  for (let child = marks.firstChild[branch]!; child < marks.childEnd[branch]!; child++) {
    const radius = (marks.x1[child]! - marks.x0[child]!) / 2;
    if (marks.kind[child] === markKind.tail || radius >= slop) continue;
    const distance = (x - marks.x0[child]! - radius) ** 2 + (y - marks.y0[child]! - radius) ** 2;
    if (distance >= least) continue;
    nearest = child;
    least = distance;
  }
  return nearest;
}
