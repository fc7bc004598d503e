import { type Marks, markKind, type Plot } from '../layout/layout.ts';
import { boxShape } from '../paint/box-shape.ts';
import { circleShape } from '../paint/circle-shape.ts';
import { mix } from '../paint/colour.ts';
import { fillPattern } from '../paint/fill-pattern.ts';
import { veilMark } from '../paint/filtered-out.ts';
import { pointOpacity } from '../paint/mark-colour.ts';
import type { PaintContext, Painter, Shape } from '../paint/painter.ts';
import { unknownIndex } from '../paint/scale-indices.ts';
import { textureOf } from '../paint/textures.ts';
import { drawPointLabels } from './labels.ts';
import { drawPlot, drawPlotText } from './plot.ts';
import { drawUnplottableList } from './unplottable-list.ts';

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
