import { type Marks, markKind } from '../layout/layout.ts';
import type { PaintContext } from './painter.ts';
import { arcsOf, onArc } from './shapes.ts';
import { write, writersOf } from './text.ts';

const platePx = 15;
/** Room for the figure in the head of a group. */
const figurePx = 40;
/** Smaller marks have no room for a sign beside their name. */
const smallestPx = 26;
/** More would hide the chart. */
const maxSigns = 250;

/** Repeats what colours say by a sign in the first free corner of a mark, and by the outline of those that have one. */
export function drawSigns(context: PaintContext): void {
  const { ctx, marks, scale, palette, paint } = context;
  const { signs, outlinedFrom = Number.POSITIVE_INFINITY } = scale;
  if (!signs) return;
  const found = signed(context);
  const writer = writersOf(ctx).small;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.lineWidth = 1;
  for (const i of found) {
    const index = scale.indexOf[marks.row[i]!]!;
    if (index >= outlinedFrom) {
      ctx.setLineDash([4, 3]);
      ctx.strokeStyle = palette.categories[0]!;
      ctx.lineWidth = 2;
      ctx.beginPath();
      context.shape.trace(context, i, 2);
      ctx.stroke();
      ctx.setLineDash([]);
      ctx.lineWidth = 1;
    }
    const text = signs[index]!;
    const width = writer.width(text) + 8;
    const at = cornerOf(context, i, width);
    if (at.x < 0 || at.y < 0 || at.x > paint.window.width || at.y > paint.window.height) continue;
    ctx.fillStyle = palette.canvas;
    ctx.beginPath();
    ctx.roundRect(at.x - width / 2, at.y - platePx / 2, width, platePx, 4);
    ctx.fill();
    write(context, writer, text, at.x - width / 2 + 4, at.y + 0.5, palette.ink);
  }
}

/** The largest marks whose colour has a sign. An open group has the sign of what it is itself, not of an amount. */
function signed({ marks, scale }: PaintContext): number[] {
  const { signs = [], isSequential, outlinedFrom = Number.POSITIVE_INFINITY } = scale;
  const found: number[] = [];
  const sizes = new Map<number, number>();
  for (let i = 0; i < marks.count; i++) {
    if (marks.kind[i] === markKind.tail) continue;
    const index = scale.indexOf[marks.row[i]!]!;
    const isGroup = marks.kind[i] === markKind.group;
    if (!signs[index] || (isGroup && isSequential && index < outlinedFrom - 1)) continue;
    const [width, height] = [marks.x1[i]! - marks.x0[i]!, marks.y1[i]! - marks.y0[i]!];
    if (Math.min(width, height) < smallestPx) continue;
    found.push(i);
    sizes.set(i, width * height);
  }
  return found.sort((one, other) => sizes.get(other)! - sizes.get(one)! || one - other).slice(0, maxSigns);
}

/** The middle of the sign of a mark. Names begin at the top left; warnings take the last corner while they are marked. */
function cornerOf({ marks, shape, paint }: PaintContext, i: number, width: number) {
  if (marks.form === 'arcs') return onInnerEdge(marks, i) ?? shape.middle(marks, i);
  const middle = shape.middle(marks, i);
  if (marks.form === 'circles') {
    const half = ((marks.x1[i]! - marks.x0[i]!) / 2) * Math.SQRT1_2;
    return { x: middle.x - half, y: middle.y - half };
  }
  const x = Math.max(middle.x, marks.x1[i]! - width / 2 - 4);
  const top = marks.y0[i]! + platePx / 2 + 4;
  // The head of a group ends with its figure.
  if (marks.kind[i] === markKind.group) return { x: Math.max(middle.x, x - figurePx), y: top };
  if (paint.warnings) return { x, y: Math.min(middle.y, top) };
  return { x, y: Math.max(middle.y, marks.y1[i]! - platePx / 2 - 4) };
}

function onInnerEdge(marks: Marks, i: number): { readonly x: number; readonly y: number } | undefined {
  const level = marks.level[i]!;
  return level === 0 ? undefined : onArc(marks, i, arcsOf(marks).radii[level]! + platePx / 2 + 1);
}
