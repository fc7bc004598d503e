import type { PointLists } from '@kc/rules/points-shapes';
import { shortFigure } from '../../format/figure-text.ts';
import type { Axes } from '../../model/encodings.ts';
import type { Explorer } from '../../model/explorer.ts';
import type { Edges } from '../layout/layout.ts';
import { colourAt } from '../paint/colour-scale.ts';
import type { Palette } from '../paint/colours.ts';
import { type Writer, write, writeOver, writersOf } from '../paint/text.ts';
import { type Density, fullestIn } from './density.ts';
import type { PlacedPoints } from './place-points.ts';
import type { Scale } from './plot-scale.ts';
import type { PointLabel } from './point-labels.ts';

/** A plot, ready to be drawn. Positions are CSS pixels. */
export type PlotDrawing = {
  readonly size: { readonly width: number; readonly height: number };
  readonly area: Edges;
  readonly x: Scale;
  readonly y: Scale;
  readonly placed: PlacedPoints;
  readonly points: PointLists;
  /** Counts of the points that are not among them. */
  readonly density: Density | undefined;
  readonly labels: readonly PointLabel[];
  readonly axes: Axes;
  readonly titles: { readonly x: string; readonly y: string };
  /** Whether points may lie beyond the area, where they are not visible. */
  readonly isPart: boolean;
};

/** Whether the middle of a point is in the plot. */
export function isSeen({ area, placed, isPart }: Pick<PlotDrawing, 'area' | 'placed' | 'isPart'>, i: number): boolean {
  const [x, y] = [placed.x[i]!, placed.y[i]!];
  return !isPart || (x >= area.x0 && x <= area.x1 && y >= area.y0 && y <= area.y1);
}

/** The order in which points are drawn: those that are hardly known below the others, then large ones below small ones. */
export function drawingOrder(hardly: readonly number[]): number[] {
  return [...hardly.keys()].sort((one, other) => hardly[other]! - hardly[one]! || one - other);
}

/** Axes, points and names. */
export function drawPlot(ctx: CanvasRenderingContext2D, drawing: PlotDrawing, palette: Palette): void {
  drawAxes(ctx, drawing, palette);
  ctx.save();
  if (drawing.isPart || drawing.density) {
    const { x0, y0, x1, y1 } = drawing.area;
    ctx.beginPath();
    ctx.rect(x0, y0, x1 - x0, y1 - y0);
    ctx.clip();
  }
  drawCells(ctx, drawing, palette);
  drawPoints(ctx, drawing, palette);
  ctx.restore();
  const context = { ctx, palette };
  const { cell } = writersOf(ctx);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const { index, text, x, y } of drawing.labels) {
    writeOver(context, cell, text, x, y, drawing.points.hardly[index] === 1 ? palette.mutedInk : palette.ink);
  }
}

function drawAxes(
  ctx: CanvasRenderingContext2D,
  { size, area, axes, x, y, titles }: PlotDrawing,
  palette: Palette,
): void {
  const { small, header } = writersOf(ctx);
  const { x0, y0, x1, y1 } = area;
  ctx.lineWidth = 1;
  ctx.strokeStyle = palette.line;
  ctx.globalAlpha = 0.45;
  ctx.beginPath();
  for (const tick of x.ticks) line(ctx, sharp(x.at(tick)), y0, sharp(x.at(tick)), y1);
  for (const tick of y.ticks) line(ctx, x0, sharp(y.at(tick)), x1, sharp(y.at(tick)));
  ctx.stroke();
  ctx.globalAlpha = 1;
  ctx.beginPath();
  line(ctx, sharp(x0), y0, sharp(x0), y1);
  line(ctx, x0, sharp(y1), x1, sharp(y1));
  ctx.stroke();
  ctx.textBaseline = 'middle';
  const writeLabel = (writer: Writer, text: string, atX: number, atY: number, ink: string) =>
    write({ ctx }, writer, text, atX, atY, ink);
  ctx.textAlign = 'center';
  for (const tick of x.ticks) writeLabel(small, shortFigure(axes.x, tick), x.at(tick), y1 + 12, palette.mutedInk);
  writeLabel(header, `${titles.x} →`, (x0 + x1) / 2, size.height - 14, palette.ink);
  ctx.textAlign = 'right';
  for (const tick of y.ticks) writeLabel(small, shortFigure(axes.y, tick), x0 - 7, y.at(tick), palette.mutedInk);
  ctx.textAlign = 'center';
  ctx.save();
  ctx.translate(12, (y0 + y1) / 2);
  ctx.rotate(-Math.PI / 2);
  writeLabel(header, `${titles.y} →`, 0, 0, palette.ink);
  ctx.restore();
  ctx.textAlign = 'left';
}

/** The opacity of a cell that holds one point, and of the fullest one. On a logarithmic scale in between. */
export const cellInk = { min: 0.14, max: 0.7 };

function drawCells(ctx: CanvasRenderingContext2D, { density, x, y }: PlotDrawing, palette: Palette): void {
  if (!density) return;
  const { edges, cells } = density;
  const [across, up] = [edges.x.map((edge) => Math.round(x.at(edge))), edges.y.map((edge) => Math.round(y.at(edge)))];
  const columns = across.length - 1;
  const unit = (cellInk.max - cellInk.min) / Math.log(Math.max(2, fullestIn(density)));
  ctx.fillStyle = palette.mutedInk;
  for (const [i, cell] of cells.at.entries()) {
    const [column, line] = [cell % columns, Math.floor(cell / columns)];
    const [left, top] = [across[column]!, up[line + 1]!];
    ctx.globalAlpha = cellInk.min + unit * Math.log(cells.rows[i]!);
    ctx.fillRect(left, top, across[column + 1]! - left, up[line]! - top);
  }
  ctx.globalAlpha = 1;
}

function drawPoints(ctx: CanvasRenderingContext2D, { points, placed }: PlotDrawing, palette: Palette): void {
  const { pillars, hardly } = points;
  for (const i of drawingOrder(hardly)) {
    const colour = colourAt(palette, pillars[i]! - 1);
    const isHardly = hardly[i] === 1;
    ctx.beginPath();
    ctx.arc(placed.x[i]!, placed.y[i]!, placed.radius[i]!, 0, 2 * Math.PI);
    ctx.fillStyle = colour;
    ctx.globalAlpha = isHardly ? 0.25 : 0.8;
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.lineWidth = isHardly ? 1.25 : 1;
    ctx.strokeStyle = isHardly ? colour : palette.canvas;
    ctx.setLineDash(isHardly ? [3, 3] : []);
    ctx.stroke();
  }
  ctx.setLineDash([]);
}

/** Between two device pixels a line of one pixel is blurred. */
const sharp = (at: number): number => Math.round(at) + 0.5;

function line(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
}

/** A plot with the parts that the screen shows over it as buttons. */
export type PlotPicture = {
  readonly drawing: PlotDrawing;
  readonly thresholds: { readonly x: Threshold; readonly y: Threshold };
  /** In the order of `quadrantPlaces`. */
  readonly quadrants: readonly { readonly name: string; readonly totals: string }[];
  /** Below the title of an exported picture. */
  readonly about: string;
};

type Threshold = { readonly value: number; readonly text: string; readonly isMedian: boolean };

/** What is shown now, for exports. */
export const plotPictures = new WeakMap<Explorer, PlotPicture>();

/** Below the plot, the figures of the ticks, in CSS pixels. */
const tickPx = 24;
const linePx = 16;

export function drawPlotPicture(ctx: CanvasRenderingContext2D, picture: PlotPicture, palette: Palette): void {
  const { drawing, thresholds, quadrants } = picture;
  const { area, x, y, size } = drawing;
  ctx.fillStyle = palette.canvas;
  ctx.fillRect(0, 0, size.width, size.height);
  drawPlot(ctx, drawing, palette);
  const context = { ctx, palette };
  const { small, title } = writersOf(ctx);
  const [across, up] = [x.at(thresholds.x.value), y.at(thresholds.y.value)];
  const [hasX, hasY] = [across >= area.x0 && across <= area.x1, up >= area.y0 && up <= area.y1];
  const draw = (isMedian: boolean, from: readonly [number, number], to: readonly [number, number]) => {
    ctx.strokeStyle = palette.ink;
    ctx.lineWidth = 1;
    ctx.setLineDash(isMedian ? [4, 4] : []);
    ctx.beginPath();
    ctx.moveTo(...from);
    ctx.lineTo(...to);
    ctx.stroke();
    ctx.setLineDash([]);
  };
  ctx.textBaseline = 'middle';
  if (hasX) {
    draw(thresholds.x.isMedian, [across, area.y0 - 8], [across, area.y1]);
    ctx.textAlign = 'center';
    writeOver(context, small, thresholds.x.text, across, area.y0 - 16, palette.ink);
  }
  if (hasY) {
    draw(thresholds.y.isMedian, [area.x0, up], [area.x1 + 8, up]);
    ctx.textAlign = 'left';
    writeOver(context, small, thresholds.y.text, area.x1 + 12, up, palette.ink);
  }
  for (const [i, { name, totals }] of quadrants.entries()) {
    const isRight = i % 2 === 1;
    const top = i >= 2 ? linePx : area.y1 + tickPx + linePx / 2;
    ctx.textAlign = isRight ? 'right' : 'left';
    const at = isRight ? size.width - 8 : 8;
    writeOver(context, title, name, at, top, palette.ink);
    writeOver(context, small, totals, at, top + linePx, palette.mutedInk);
  }
  ctx.textAlign = 'left';
}
