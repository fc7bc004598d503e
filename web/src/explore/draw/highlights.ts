import { isAround, markKind } from '../layouts/layout.ts';
import type { Brush } from './brush.ts';

/** What the person looks at: search hits, the path under the pointer, the selection, the keyboard's place. */
export function drawHighlights(brush: Brush): void {
  const { ctx, marks, paint, palette } = brush;
  if (paint.hits.size > 0) for (const i of marksOfHits(brush)) drawHit(brush, i);
  for (let i = paint.hover; i >= 0 && i < marks.count; i = marks.parent[i]!) {
    if (marks.level[i] === 0 && isAround(marks)) break;
    ring(brush, i, palette.highlight, i === paint.hover ? 2 : 1.25, 0);
  }
  if (paint.selection.size > 0) {
    eachMarkOf(brush, paint.selection, (i) => {
      ring(brush, i, palette.canvas, 4, 0);
      ring(brush, i, palette.selection, 2, 0);
    });
  }
  if (paint.focusRing < 0) return;
  ctx.setLineDash([5, 3]);
  eachMarkOf(brush, new Set([paint.focusRing]), (i) => ring(brush, i, palette.selection, 2, 3));
  ctx.setLineDash([]);
}

/** The marks of the hits; a hit that is not drawn lights the closest ancestor that is. */
function marksOfHits({ marks, tree, paint }: Brush): ReadonlySet<number> {
  const markOf = new Map<number, number>();
  for (let i = 0; i < marks.count; i++) if (marks.kind[i] !== markKind.tail) markOf.set(marks.row[i]!, i);
  const lit = new Set<number>();
  for (const hit of paint.hits) {
    let row = hit;
    while (row > 0 && !markOf.has(row)) row = tree.parent[row]!;
    const mark = markOf.get(row);
    // A hit above the focus or outside the viewport would light the focus, and with it nothing in particular.
    if (mark !== undefined && (mark > 0 || row === hit)) lit.add(mark);
  }
  return lit;
}

function eachMarkOf({ marks }: Brush, rows: ReadonlySet<number>, draw: (mark: number) => void): void {
  for (let i = 0; i < marks.count; i++) {
    if (marks.kind[i] !== markKind.tail && rows.has(marks.row[i]!)) draw(i);
  }
}

/** A hit glows however small it is. */
function drawHit(brush: Brush, i: number): void {
  const { ctx, marks, shape, palette } = brush;
  const side = Math.min(marks.x1[i]! - marks.x0[i]!, marks.y1[i]! - marks.y0[i]!);
  if (side >= 8) {
    ring(brush, i, palette.highlight, 2, 0);
    return;
  }
  ctx.fillStyle = palette.highlight;
  ctx.beginPath();
  const { x, y } = shape.middle(marks, i);
  ctx.arc(x, y, 3, 0, 2 * Math.PI);
  ctx.fill();
}

/** A line just inside a mark's edge, `inset` further in. */
function ring(brush: Brush, i: number, colour: string, width: number, inset: number): void {
  const { ctx, shape } = brush;
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  shape.trace(brush, i, width / 2 + inset);
  ctx.stroke();
}
