import { numberText } from '../../../ui/number-text.ts';
import { type Marks, markKind, type Plot } from '../layout/layout.ts';
import { mix, pointOpacity } from '../paint/colours.ts';
import { veilMark } from '../paint/draw-gone.ts';
import { smartLabel } from '../paint/names.ts';
import type { Chart } from '../paint/painter.ts';
import { type PaintContext, type Painter, type Shape, snap } from '../paint/painter.ts';
import { boxShape, circleShape } from '../paint/shapes.ts';
import { amountText, tailText, type Writer, write, writeOver, writersOf } from '../paint/text.ts';
import { fillPattern, textureOf } from '../paint/textures.ts';
import { unknownIndex } from '../paint/value-steps.ts';
import { createOpportunity } from './layout.ts';
import { drawPlot, drawPlotText, wordPlaces } from './plot.ts';
import { whyUnplaced } from './plot-text.ts';

/** Points and lines. The focus is the plot around them and cannot be pointed at. */
const scatterShape: Shape = {
  distance2(marks, i, x, y) {
    if (i === 0) return Number.POSITIVE_INFINITY;
    return shapeOf(marks, i).distance2(marks, i, x, y);
  },
  reach2: (marks, i, x, y) => (i === 0 ? 0 : shapeOf(marks, i).distance2(marks, i, x, y)),
  middle: (marks, i) => shapeOf(marks, i).middle(marks, i),
  trace: (context, i, inset) =>
    shapeOf(context.marks, i).trace(context, i, shapeOf(context.marks, i) === circleShape ? inset - 2 : inset),
};

/** A scatter plot with named quadrants, and a list of nodes without a position in it. */
export const opportunityPainter: Painter = {
  shape: scatterShape,
  paint(context) {
    const plot = plotOf(context.marks);
    drawPlot(context, plot);
    drawPoints(context, plot);
    drawPlotText(context, plot);
    if (context.paint.labels !== false) drawPointLabels(context, plot);
    drawUnplottableList(context, plot);
  },
};

export const opportunity: Chart = { createLayout: createOpportunity, painter: opportunityPainter };

/** @throws Error if the marks are not a scatter: the painter was given the marks of another layout */
function plotOf(marks: Marks): Plot {
  if (marks.form !== 'scatter') throw new Error(`${marks.form} are no scatter`);
  return marks.plot;
}

const shapeOf = (marks: Marks, i: number): Shape => (i === 0 || i >= plotOf(marks).listedFrom ? boxShape : circleShape);

/** Largest first, so that no point is hidden under another. */
function drawPoints(context: PaintContext, { area, listedFrom }: Plot): void {
  const { ctx, marks, tree, scale, tones, palette, paint } = context;
  ctx.save();
  ctx.beginPath();
  ctx.rect(area.x0, area.y0, area.x1 - area.x0, area.y1 - area.y0);
  ctx.clip();
  for (let i = 1; i < listedFrom; i++) {
    if (marks.kind[i] === markKind.tail) continue;
    const { x, y } = circleShape.middle(marks, i);
    const radius = (marks.x1[i]! - marks.x0[i]!) / 2;
    const index = scale.indexOf[marks.row[i]!]!;
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.globalAlpha = pointOpacity;
    ctx.fillStyle = tones.cell(index, 1);
    ctx.fill();
    ctx.globalAlpha = 1;
    if (radius > 5) fillPattern(context, index, tones.cellInk(index, 1));
    if (index === unknownIndex && radius > 5) {
      ctx.fillStyle = textureOf(ctx, 'stripes', palette.neutral, paint.dpr);
      ctx.fill();
    }
    ctx.lineWidth = 1.25;
    ctx.strokeStyle = scale.isSequential ? mix(palette.canvas, palette.ink, 0.55) : scale.colours[index]!;
    ctx.stroke();
    if (tree.isLeftOut(marks.row[i]!)) veilMark(context, i, 1);
  }
  ctx.restore();
}

/** Number of points tried, largest first, and the longest name, in CSS pixels. */
const maxTried = 400;
const longest = 150;
const gap = 4;
const lineHeight = 15;
/** Side of the cells that record which part of the plot is taken, in CSS pixels. */
const cellPx = 4;

/**
 * Names beside their points, where they cover no other name or point. A point without room for a name shows it on
 * hover.
 */
function drawPointLabels(context: PaintContext, plot: Plot): void {
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
  const tried = [...points.filter(isChosen), ...points.slice(0, maxTried).filter((i) => !isChosen(i))];
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

const padding = 10;

/** Nodes without a position in the plot: a hatched list beside it, or one line over it with their number. */
function drawUnplottableList(
  context: PaintContext,
  { listArea, isWide, listedFrom, unplottableCount, axes }: Plot,
): void {
  if (!listArea) return;
  const { ctx, marks, tree, palette, paint, scale } = context;
  const { small, header, cell } = writersOf(ctx);
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ctx.beginPath();
  ctx.roundRect(
    snap(listArea.x0, paint.dpr),
    snap(listArea.y0, paint.dpr),
    listArea.x1 - listArea.x0,
    listArea.y1 - listArea.y0,
    8,
  );
  ctx.fillStyle = textureOf(ctx, 'stripes', palette.line, paint.dpr);
  ctx.globalAlpha = 0.35;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.strokeStyle = palette.line;
  ctx.lineWidth = 1;
  ctx.stroke();
  const room = listArea.x1 - listArea.x0 - 2 * padding;
  if (isWide) {
    write(
      context,
      header,
      `${numberText(unplottableCount)} not shown`,
      listArea.x0 + padding,
      listArea.y0 + 14,
      palette.ink,
    );
    write(
      context,
      small,
      small.fit(whyUnplaced(axes), room),
      listArea.x0 + padding,
      listArea.y0 + 30,
      palette.mutedInk,
    );
  }
  for (let i = listedFrom; i < marks.count; i++) {
    const y = (marks.y0[i]! + marks.y1[i]!) / 2;
    const left = marks.x0[i]! + padding;
    if (marks.kind[i] === markKind.tail) {
      const text = isWide
        ? tailText(marks.hidden[i]!, small, room)
        : small.fit(`${numberText(marks.hidden[i]!)} not shown (${whyUnplaced(axes)})`, room);
      write(context, small, text, left, y, palette.mutedInk);
      continue;
    }
    const row = marks.row[i]!;
    ctx.beginPath();
    ctx.arc(left + 4, y, 4, 0, 2 * Math.PI);
    ctx.fillStyle = scale.colours[scale.indexOf[row]!]!;
    ctx.fill();
    const amount = amountText(tree, row, paint.sizeBy);
    const beside = amount === '' ? 0 : small.width(amount) + 8;
    write(context, cell, cell.fit(tree.name(row), room - 14 - beside), left + 14, y, palette.ink);
    write(context, small, amount, listArea.x1 - padding - small.width(amount), y, palette.mutedInk);
  }
}
