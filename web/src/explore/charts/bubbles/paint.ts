import { markKind } from '../layout/layout.ts';
import { circleShape } from '../paint/circle-shape.ts';
import { fillPattern } from '../paint/fill-pattern.ts';
import type { PaintContext, Painter } from '../paint/painter.ts';
import { unknownIndex } from '../paint/scale-indices.ts';
import { textureOf } from '../paint/textures.ts';
import { drawBubbleLabels } from './labels.ts';
import { covers, fillNebula } from './nebula.ts';

/** Circles with a smaller radius, in CSS pixels, have no texture and no rim, which could not be seen. */
const detailPx = 7;
const rimPx = 1.5;
/** Dots fainter than this are not drawn. */
const leastStrength = 0.03;

/** Circle packing: the branches directly below the focus are nebulae, and nodes without visible contents are stars. */
export const bubblesPainter: Painter = {
  shape: circleShape,
  *paint(context) {
    yield* drawCircles(context);
    if (context.paint.labels === false) return;
    yield;
    yield* drawBubbleLabels(context);
  },
};

/** Area drawn per step, in square CSS pixels: rasterizing circles costs more than describing them. */
const areaAtOnce = 2_500_000;
/** The fixed cost of a circle beside its area, in the same unit. */
const costOfCircle = 3_000;

function* drawCircles(context: PaintContext): Generator<void> {
  const { ctx, marks, scale, tones, paint, palette, tree } = context;
  const { window } = paint;
  let area = 0;
  for (let i = firstSeen(context); i < marks.count; i++) {
    const radius = (marks.x1[i]! - marks.x0[i]!) / 2;
    const [x, y] = [marks.x0[i]! + radius, marks.y0[i]! + radius];
    const level = marks.level[i]!;
    area += Math.min(radius * radius, window.width * window.height) + costOfCircle;
    if (area > areaAtOnce) {
      area = 0;
      yield;
    }
    const index = scale.indexOf[marks.row[i]!]!;
    const kind = marks.kind[i]!;
    const isDetailed = radius >= detailPx && paint.labels !== false;
    // Half a pixel stays free between neighbours.
    let edge = radius > 3 ? radius - 0.5 : radius;
    ctx.beginPath();
    ctx.arc(x, y, edge, 0, 2 * Math.PI);
    if (kind === markKind.group) {
      if (level === 1) fillNebula(context, index, x, y, edge);
      else {
        ctx.fillStyle = tones.frame(index, level);
        ctx.fill();
      }
      continue;
    }
    if (kind === markKind.tail) {
      // Circles that are too small lie between the others of their parent; children that are not loaded have a circle
      // of their own.
      const strength = tailStrength(context, i);
      if (!isDetailed || strength < leastStrength) continue;
      ctx.fillStyle = textureOf(ctx, 'dots', scale.isSequential ? palette.neutral : scale.colours[index]!, paint.dpr);
      ctx.globalAlpha = strength;
      ctx.fill();
      ctx.globalAlpha = 1;
      continue;
    }
    // A closed branch has a rim to show that it has children, and a keyword one if its fill is faint. It is a second
    // fill below, because a stroke costs twice as much.
    const isBranch = tree.childCount[marks.row[i]!]! > 0;
    const ofBranch = scale.isSequential ? palette.neutral : scale.colours[index]!;
    const rim = isBranch ? ofBranch : tones.cellEdge(index, level);
    if (isDetailed && rim !== '') {
      ctx.fillStyle = rim;
      ctx.fill();
      edge -= rimPx;
      ctx.beginPath();
      ctx.arc(x, y, edge, 0, 2 * Math.PI);
    }
    ctx.fillStyle = tones.cell(index, level);
    ctx.fill();
    if (isDetailed) fillPattern(context, index, tones.cellInk(index, level));
    if (isDetailed && index === unknownIndex) {
      ctx.fillStyle = textureOf(ctx, 'stripes', palette.neutral, paint.dpr);
      ctx.globalAlpha = 0.7;
      ctx.fill();
      ctx.globalAlpha = 1;
    }
  }
}

/** How much of its parent a tail stands for: a few small nodes are a hint, most of a branch is clearly visible. */
function tailStrength({ marks, tree }: PaintContext, i: number): number {
  const share = marks.hiddenKeywords[i]! / Math.max(1, tree.childKeywords[marks.row[i]!]!);
  return Math.min(0.4, share * 1.5);
}

/** The last branch that covers the whole window: the marks before it are its ancestors, which are hidden behind it. */
function firstSeen({ marks, paint }: PaintContext): number {
  for (let i = marks.count - 1; i > 0; i--) {
    if (marks.kind[i] !== markKind.group) continue;
    const radius = (marks.x1[i]! - marks.x0[i]!) / 2;
    if (covers(paint.window, marks.x0[i]! + radius, marks.y0[i]! + radius, radius)) return i;
  }
  return 0;
}
