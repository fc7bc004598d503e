import { markKind } from '../layout/layout.ts';
import { angleOf, arcShape, arcsOf } from '../paint/arc-shape.ts';
import { fillPattern } from '../paint/fill-pattern.ts';
import type { PaintContext, Painter } from '../paint/painter.ts';
import { unknownIndex } from '../paint/scale-indices.ts';
import { textureOf } from '../paint/textures.ts';
import { drawSunburstLabels } from './labels.ts';

/**
 * Arcs shorter than this, in CSS pixels, have no texture, and those shorter than `gapPx` no gap: neither would be
 * visible.
 */
const detailPx = 12;
const gapPx = 3;
/** The rim of a closed branch. */
const rimPx = 3;

/** A sunburst: a disc and rings around it. */
export const sunburstPainter: Painter = {
  shape: arcShape,
  *paint(context) {
    drawArcs(context);
    if (context.paint.labels === false) return;
    yield;
    drawSunburstLabels(context);
  },
};

function drawArcs(context: PaintContext): void {
  const { ctx, marks, scale, tones, paint, palette, tree } = context;
  const { radii, from, to } = arcsOf(marks);
  const [viewWidth, viewHeight] = [ctx.canvas.width / paint.dpr, ctx.canvas.height / paint.dpr];
  for (let i = 0; i < marks.count; i++) {
    if (marks.x1[i]! < 0 || marks.x0[i]! > viewWidth || marks.y1[i]! < 0 || marks.y0[i]! > viewHeight) continue;
    const level = marks.level[i]!;
    const row = marks.row[i]!;
    const index = scale.indexOf[row]!;
    const isTail = marks.kind[i] === markKind.tail;
    const length = angleOf(to[i]! - from[i]!) * radii[level + 1]!;
    const isDetailed = length >= detailPx && paint.labels !== false;
    ctx.beginPath();
    sector(context, i, radii[level]!, radii[level + 1]! - 1, length < gapPx ? 0.25 : 1);
    ctx.fillStyle = (isTail ? tones.frame : tones.cell)(index, level);
    ctx.fill();
    if (isDetailed && !isTail) fillPattern(context, index, tones.cellInk(index, level));
    if (isDetailed && (isTail || index === unknownIndex)) {
      ctx.fillStyle = textureOf(ctx, isTail ? 'dots' : 'stripes', palette.neutral, paint.dpr);
      ctx.globalAlpha = isTail ? 0.45 : 0.7;
      ctx.fill();
      ctx.globalAlpha = 1;
    }
    // A closed branch shows that it has children.
    if (marks.kind[i] !== markKind.node || tree.childCount[row] === 0 || level === 0) continue;
    ctx.beginPath();
    sector(context, i, radii[level + 1]! - 1 - rimPx, radii[level + 1]! - 1, length < gapPx ? 0.25 : 1);
    ctx.fillStyle = scale.isSequential ? palette.neutral : scale.colours[index]!;
    ctx.fill();
  }
}

/** A part of a ring with a gap of `gap` pixels at its end. */
function sector({ ctx, marks }: PaintContext, i: number, inner: number, outer: number, gap: number): void {
  const { x, y, from, to } = arcsOf(marks);
  const [start, end] = [angleOf(from[i]!) - Math.PI / 2, angleOf(to[i]!) - Math.PI / 2];
  if (inner <= 0) {
    ctx.arc(x, y, outer, 0, 2 * Math.PI);
    return;
  }
  const isWhole = to[i]! - from[i]! >= 1;
  ctx.arc(x, y, outer, start, isWhole ? end : Math.max(start, end - gap / outer));
  ctx.arc(x, y, inner, isWhole ? end : Math.max(start, end - gap / inner), start, true);
  ctx.closePath();
}
