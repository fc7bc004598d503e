import { markKind, type Plot } from '../layout/layout.ts';
import { circleShape } from '../paint/circle-shape.ts';
import { writeOver } from '../paint/draw-text.ts';
import { writersOf } from '../paint/fonts.ts';
import type { PaintContext } from '../paint/painter.ts';
import { smartLabel } from '../paint/smart-label.ts';
import type { Writer } from '../paint/text.ts';
import { wordPlaces } from './plot.ts';

/** Number of points tried, largest first, and the longest name, in CSS pixels. */
const mostTried = 400;
const longest = 150;
const gap = 4;
const lineHeight = 15;
/** Side of the cells that record which part of the plot is taken, in CSS pixels. */
const cellPx = 4;

/**
 * Names beside their points, where they cover no other name or point. A point without room for a name shows it on
 * hover.
 */
export function drawPointLabels(context: PaintContext, plot: Plot): void {
  const { area, listedFrom } = plot;
  const { ctx, marks, tree, paint, palette } = context;
  const taken = createPlaces(area);
  const points: number[] = [];
  for (let i = 1; i < listedFrom; i++) {
    if (marks.kind[i] !== markKind.node || !isInside(context, area, i)) continue;
    if (!tree.isLeftOut(marks.row[i]!)) points.push(i);
    taken.take(marks.x0[i]!, marks.y0[i]!, marks.x1[i]!, marks.y1[i]!);
  }
  const { cell, title } = writersOf(ctx);
  for (const { x0, y0, x1, y1 } of wordPlaces(marks, plot, title.width)) taken.take(x0, y0, x1, y1);
  const isChosen = (i: number) =>
    paint.selection.has(marks.row[i]!) || (paint.glow?.hits.has(tree.node[marks.row[i]!]!) ?? false);
  const tried = [...points.filter(isChosen), ...points.slice(0, mostTried).filter((i) => !isChosen(i))];
  const focusName = tree.name(marks.row[0]!);
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  for (const i of tried) {
    const text = shortened(cell, tree.name(marks.row[i]!), focusName);
    const width = cell.width(text);
    const place = placesBeside(context, i, width).find(([x, y]) => taken.isFree(x, y, x + width, y + lineHeight));
    if (!place) continue;
    const [x, y] = place;
    taken.take(x, y, x + width, y + lineHeight);
    writeOver(context, cell, text, x, y + lineHeight / 2, palette.ink);
  }
}

function shortened(writer: Writer, name: string, parent: string): string {
  return writer.width(name) <= longest ? name : writer.fit(smartLabel(name, parent), longest);
}

function isInside({ marks }: PaintContext, area: Plot['area'], i: number): boolean {
  const { x, y } = circleShape.middle(marks, i);
  return x >= area.x0 && x <= area.x1 && y >= area.y0 && y <= area.y1;
}

/** To the right, to the left, above, below: the top left corner of the name. */
function placesBeside({ marks }: PaintContext, i: number, width: number): readonly (readonly [number, number])[] {
  const { x, y } = circleShape.middle(marks, i);
  const [middle, top] = [x - width / 2, y - lineHeight / 2];
  return [
    [marks.x1[i]! + gap, top],
    [marks.x0[i]! - gap - width, top],
    [middle, marks.y0[i]! - gap - lineHeight],
    [middle, marks.y1[i]! + gap],
  ];
}

/** Records which cells of a rectangle are taken. */
function createPlaces({ x0, y0, x1, y1 }: Plot['area']) {
  const columns = Math.max(1, Math.ceil((x1 - x0) / cellPx));
  const rows = Math.max(1, Math.ceil((y1 - y0) / cellPx));
  const taken = new Uint8Array(columns * rows);
  const columnAt = (x: number) => Math.floor((x - x0) / cellPx);
  const rowAt = (y: number) => Math.floor((y - y0) / cellPx);
  return {
    take(left: number, top: number, right: number, bottom: number): void {
      const [first, last] = [Math.max(0, columnAt(left)), Math.min(columns - 1, columnAt(right))];
      if (last < first) return;
      for (let row = Math.max(0, rowAt(top)); row <= Math.min(rows - 1, rowAt(bottom)); row++)
        taken.fill(1, row * columns + first, row * columns + last + 1);
    },
    isFree(left: number, top: number, right: number, bottom: number): boolean {
      if (left < x0 || top < y0 || right > x1 || bottom > y1) return false;
      for (let row = rowAt(top); row <= Math.min(rows - 1, rowAt(bottom)); row++) {
        for (let column = columnAt(left); column <= Math.min(columns - 1, columnAt(right)); column++)
          if (taken[row * columns + column] === 1) return false;
      }
      return true;
    },
  };
}
