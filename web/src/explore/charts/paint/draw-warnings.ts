import { compactText } from '../../../ui/number-text.ts';
import type { WarningMarkMap } from '../../model/warning-marks.ts';
import { type Marks, markKind } from '../layout/layout.ts';
import type { PaintContext, Plate } from './painter.ts';
import { outerEdge } from './shapes.ts';
import { write } from './text.ts';

/** The side of the triangle, and the height of the plate that it is on, in CSS pixels. */
const trianglePx = 8;
const platePx = 16;
/** Between a text and a plate. */
const gapPx = 3;
/** Marks narrower than this have no room for a plate; the branch around them is marked when it is closed. */
const smallestPx = 20;
/** More would hide the chart. */
const maxPlates = 150;

type Bare = Omit<PaintContext, 'plates'>;

/**
 * Marks nodes with warnings: a triangle and a number on a plate in the last corner, where no name begins, or on the rim of round
 * marks. A closed branch, and the mark of a remainder, has the sum of what is in it.
 */
export function platesOf(context: Bare, warnings: WarningMarkMap): readonly Plate[] {
  const { paint } = context;
  const counts = countsOf(context, warnings);
  const order = [...counts.keys()].sort((one, other) => counts.get(other)! - counts.get(one)! || one - other);
  const writer = context.writers.small;
  const plates: Plate[] = [];
  for (const i of order) {
    if (plates.length === maxPlates) break;
    const text = compactText(counts.get(i)!);
    const width = trianglePx + writer.width(text) + 11;
    const at = cornerOf(context, i, width);
    if (!at || at.x < 0 || at.y < 0 || at.x > paint.window.width || at.y > paint.window.height) continue;
    const isFree = plates.every(
      (one) => Math.abs(one.x - at.x) > (one.width + width) / 2 || Math.abs(one.y - at.y) > platePx,
    );
    if (isFree) plates.push({ ...at, text, width, height: platePx });
  }
  return plates;
}

/** A plate has the colour of the canvas and an outline in ink, so it is visible on any fill. */
export function drawPlates(context: PaintContext): void {
  const { ctx, palette, plates } = context;
  const writer = context.writers.small;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.lineWidth = 1;
  for (const { text, x, y, width, height } of plates) {
    const left = x - width / 2;
    ctx.fillStyle = palette.canvas;
    ctx.strokeStyle = palette.ink;
    ctx.beginPath();
    ctx.roundRect(left, y - height / 2, width, height, 4);
    ctx.fill();
    ctx.stroke();
    triangle(ctx, left + 4, y - trianglePx / 2, palette.ink);
    write(context, writer, text, left + trianglePx + 7, y + 0.5, palette.ink);
  }
}

/** The room for a line of text that begins at `left` and has its middle at `y`, up to the first plate in its way. */
export function roomBeforePlates(
  plates: readonly Plate[],
  line: { readonly left: number; readonly y: number; readonly height: number; readonly room: number },
): number {
  const { left, y, height } = line;
  let { room } = line;
  for (const plate of plates) {
    const [from, end] = [plate.x - plate.width / 2, plate.x + plate.width / 2];
    const isInWay = Math.abs(plate.y - y) < (plate.height + height) / 2 && end > left && from < left + room;
    if (isInWay) room = Math.max(0, from - gapPx - left);
  }
  return room;
}

/** By mark: the warnings that it stands for; only those with any. */
function countsOf({ marks, tree }: Bare, warnings: WarningMarkMap): Map<number, number> {
  const counts = new Map<number, number>();
  /** By group: the warnings inside it that no mark so far stands for. */
  const left = new Map<number, number>();
  for (let i = 0; i < marks.count; i++) {
    const row = marks.row[i]!;
    const parent = marks.parent[i]!;
    if (marks.kind[i] === markKind.tail) continue;
    const found = warnings.get(tree.node[row]!);
    if (marks.kind[i] === markKind.group || marks.level[i] === 0) left.set(i, (found?.within ?? 0) - (found?.own ?? 0));
    if (!found) continue;
    if (left.has(parent)) left.set(parent, left.get(parent)! - found.within);
    const count = left.has(i) ? found.own : found.within;
    if (count > 0 && isLargeEnough(marks, i)) counts.set(i, count);
  }
  for (let i = 0; i < marks.count; i++) {
    const rest = marks.kind[i] === markKind.tail && marks.isGone[i] === 0 ? (left.get(marks.parent[i]!) ?? 0) : 0;
    if (rest > 0 && isLargeEnough(marks, i)) counts.set(i, rest);
  }
  return counts;
}

const isLargeEnough = ({ x0, y0, x1, y1 }: Marks, i: number): boolean =>
  x1[i]! - x0[i]! >= smallestPx && y1[i]! - y0[i]! >= smallestPx / 2;

/** The middle of the plate of a mark. */
function cornerOf(
  { marks, shape }: Bare,
  i: number,
  width: number,
): { readonly x: number; readonly y: number } | undefined {
  const middle = shape.middle(marks, i);
  if (marks.form === 'arcs') return outerEdge(marks, i) ?? middle;
  if (marks.form === 'circles') {
    const half = (marks.x1[i]! - marks.x0[i]!) / 2;
    return { x: middle.x + half * Math.SQRT1_2, y: middle.y - half * Math.SQRT1_2 };
  }
  return {
    x: Math.max(middle.x, marks.x1[i]! - width / 2 - 2),
    y: Math.max(middle.y, marks.y1[i]! - platePx / 2 - 2),
  };
}

function triangle(ctx: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(x + trianglePx / 2, y);
  ctx.lineTo(x + trianglePx, y + trianglePx);
  ctx.lineTo(x, y + trianglePx);
  ctx.closePath();
  ctx.fill();
}
