import { shortFigure } from '../../format/figure-text.ts';
import type { Edges, Marks, Plot } from '../layout/layout.ts';
import { type PaintContext, snap } from '../paint/painter.ts';
import { write, writeOver, writersOf } from '../paint/text.ts';
import { axisTitle, quadrantNames, whyEmpty } from './plot-text.ts';

/** Lines: a faint one for each tick, dashed ones at the medians. */
export function drawPlot({ ctx, palette, paint }: PaintContext, plot: Plot): void {
  if (plot.points === 0) return;
  const { x0, y0, x1, y1 } = plot.area;
  ctx.lineWidth = 1;
  ctx.strokeStyle = palette.line;
  ctx.globalAlpha = 0.45;
  ctx.beginPath();
  for (const { at } of plot.xTicks) upright(ctx, snap(at, paint.dpr) + 0.5, y0, y1);
  for (const { at } of plot.yTicks) level(ctx, snap(at, paint.dpr) + 0.5, x0, x1);
  ctx.stroke();
  ctx.globalAlpha = 1;
  ctx.beginPath();
  upright(ctx, snap(x0, paint.dpr) + 0.5, y0, y1);
  level(ctx, snap(y1, paint.dpr) + 0.5, x0, x1);
  ctx.stroke();
  if (!plot.medians) return;
  const { x, y } = plot.medians;
  ctx.strokeStyle = palette.neutral;
  ctx.setLineDash([4, 4]);
  ctx.beginPath();
  if (x.at > x0 && x.at < x1) upright(ctx, snap(x.at, paint.dpr) + 0.5, y0, y1);
  if (y.at > y0 && y.at < y1) level(ctx, snap(y.at, paint.dpr) + 0.5, x0, x1);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** Figures at the ticks, titles of the axes, and names of the quadrants. */
export function drawPlotText(context: PaintContext, plot: Plot): void {
  const { ctx, palette } = context;
  const { small, header, cell } = writersOf(ctx);
  const { x0, y0, x1, y1 } = plot.area;
  ctx.textBaseline = 'middle';
  if (plot.points === 0) {
    ctx.textAlign = 'center';
    const room = x1 - x0 - 32;
    const lines = cell.wrap(whyEmpty(plot), room, 3);
    lines.forEach((line, i) => {
      write(context, cell, line, (x0 + x1) / 2, (y0 + y1) / 2 + (i - (lines.length - 1) / 2) * 18, palette.mutedInk);
    });
    ctx.textAlign = 'left';
    return;
  }
  ctx.textAlign = 'center';
  for (const { at, value } of plot.xTicks)
    write(context, small, shortFigure(plot.axes.x, value), at, y1 + 13, palette.mutedInk);
  write(context, header, `${axisTitle(plot, 'x')} →`, (x0 + x1) / 2, y1 + 40, palette.ink);
  ctx.textAlign = 'right';
  for (const { at, value } of plot.yTicks)
    write(context, small, shortFigure(plot.axes.y, value), x0 - 7, at, palette.mutedInk);
  ctx.textAlign = 'center';
  ctx.save();
  ctx.translate(13, (y0 + y1) / 2);
  ctx.rotate(-Math.PI / 2);
  write(context, header, `${axisTitle(plot, 'y')} →`, 0, 0, palette.ink);
  ctx.restore();
  drawQuadrants(context, plot);
  drawMedians(context, plot);
  ctx.textAlign = 'left';
}

/** Where points get no name, because other text is there. @param widthOf of the name of a quadrant, in pixels */
export function wordPlaces(marks: Marks, plot: Plot, widthOf: (text: string) => number): readonly Edges[] {
  if (!plot.medians) return [];
  return [...quadrantPlaces(marks, plot, plot.medians, widthOf), ...medianPlaces(marks, plot, plot.medians)];
}

/** Labels of the dashed lines. */
function drawMedians(context: PaintContext, plot: Plot): void {
  const { area, medians } = plot;
  if (!medians) return;
  const { ctx, palette } = context;
  const { small } = writersOf(ctx);
  const [ofX, ofY] = medianPlaces(context.marks, plot, medians);
  const { x, y } = medians;
  ctx.textAlign = 'left';
  const say = (axis: 'x' | 'y', value: number, place: Edges) =>
    writeOver(
      context,
      small,
      `median ${shortFigure(plot.axes[axis], value)}`,
      place.x0 + 5,
      (place.y0 + place.y1) / 2,
      palette.mutedInk,
    );
  if (y.at > area.y0 + 40 && y.at < area.y1) say('y', y.value, ofY);
  if (x.at > area.x0 && x.at < area.x1 - 200) say('x', x.value, ofX);
}

/** Gap between the name of a quadrant and what is beside it. */
const besideWords = 10;

/** Room for the label of a median. */
const medianPx = { width: 96, height: 17 };

/** Labels of the horizontal and the vertical median: at the end of the line, or at its start if a point is there. */
function medianPlaces(
  marks: Marks,
  { area: { x0, y0, x1, y1 }, listedFrom }: Plot,
  { x, y }: NonNullable<Plot['medians']>,
): readonly [Edges, Edges] {
  const { width, height } = medianPx;
  const free = (first: Edges, other: Edges): Edges => (isFree(marks, listedFrom, first) ? first : other);
  return [
    free({ x0: x.at, y0, x1: x.at + width, y1: y0 + height }, { x0: x.at, y0: y1 - height, x1: x.at + width, y1 }),
    free({ x0: x1 - width, y0: y.at - height, x1, y1: y.at }, { x0, y0: y.at - height, x1: x0 + width, y1: y.at }),
  ];
}

/**
 * Names of the quadrants, in the order of {@link QuadrantNames}: in the outer corner, or beside and below it if points
 * are there; in the corner after all if points are everywhere.
 */
function quadrantPlaces(
  marks: Marks,
  { area: { x0, y0, x1, y1 }, listedFrom, axes, rollUps }: Plot,
  { x, y }: NonNullable<Plot['medians']>,
  widthOf: (text: string) => number,
): readonly Edges[] {
  if (!rollUps) return [];
  const height = 26;
  const place = (name: string, isRight: boolean, isLow: boolean): Edges => {
    const width = widthOf(name) + 2 * besideWords;
    const slide = Math.max(0, isRight ? x1 - width - (x.at + medianPx.width) : x.at - width - x0) / 3;
    const at = (line: number, beside: number): Edges => {
      const left = isRight ? x1 - width - beside * slide : x0 + beside * slide;
      const top = isLow ? y1 - (line + 1) * height : y0 + line * height;
      return { x0: left, y0: top, x1: left + width, y1: top + height };
    };
    const isInside = (one: Edges) => (isLow ? one.y0 > y.at : one.y1 < y.at - medianPx.height);
    for (const line of [0, 1, 2, 3, 4]) {
      for (const beside of [0, 1, 2, 3]) {
        const one = at(line, beside);
        if (isInside(one) && isFree(marks, listedFrom, one)) return one;
      }
    }
    return at(0, 0);
  };
  const { upperLeft, upperRight, lowerLeft, lowerRight } = quadrantNames(axes, rollUps);
  return [
    place(upperLeft, false, false),
    place(upperRight, true, false),
    place(lowerLeft, false, true),
    place(lowerRight, true, true),
  ];
}

function isFree(marks: Marks, end: number, place: Edges): boolean {
  for (let i = 1; i < end; i++) {
    if (marks.x0[i]! < place.x1 && marks.x1[i]! > place.x0 && marks.y0[i]! < place.y1 && marks.y1[i]! > place.y0)
      return false;
  }
  return true;
}

/** In the outer corner of each quadrant that is large enough. */
function drawQuadrants(context: PaintContext, plot: Plot): void {
  const { area, medians, axes, rollUps } = plot;
  if (!medians || !rollUps) return;
  const { ctx, palette } = context;
  const { title } = writersOf(ctx);
  const middleX = Math.min(area.x1, Math.max(area.x0, medians.x.at));
  const middleY = Math.min(area.y1, Math.max(area.y0, medians.y.at));
  const [upperLeft, upperRight, lowerLeft, lowerRight] = quadrantPlaces(context.marks, plot, medians, title.width);
  const name = (text: string, place: Edges | undefined, isRight: boolean, isLow: boolean) => {
    const room = (isRight ? area.x1 - middleX : middleX - area.x0) - 2 * besideWords;
    const height = isLow ? area.y1 - middleY : middleY - area.y0;
    if (!place || height < 30 || title.width(text) > room) return;
    ctx.textAlign = isRight ? 'right' : 'left';
    const at = isRight ? place.x1 - besideWords : place.x0 + besideWords;
    writeOver(context, title, text, at, (place.y0 + place.y1) / 2 + (isLow ? -1 : 1), palette.mutedInk);
  };
  const names = quadrantNames(axes, rollUps);
  name(names.upperLeft, upperLeft, false, false);
  name(names.upperRight, upperRight, true, false);
  name(names.lowerLeft, lowerLeft, false, true);
  name(names.lowerRight, lowerRight, true, true);
}

function upright(ctx: CanvasRenderingContext2D, x: number, y0: number, y1: number): void {
  ctx.moveTo(x, y0);
  ctx.lineTo(x, y1);
}

function level(ctx: CanvasRenderingContext2D, y: number, x0: number, x1: number): void {
  ctx.moveTo(x0, y);
  ctx.lineTo(x1, y);
}
