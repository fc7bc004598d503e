import { markKind } from '../layout/layout.ts';
import { boxShape } from '../paint/box-shape.ts';
import { fillPattern } from '../paint/fill-pattern.ts';
import { type PaintContext, type Painter, snap } from '../paint/painter.ts';
import { unknownIndex } from '../paint/scale-indices.ts';
import { textureOf } from '../paint/textures.ts';
import { namedStripPx } from './chrome.ts';
import { drawTreemapLabels } from './labels.ts';

/** Marks smaller than this, in CSS pixels, have square corners and no texture: neither would be visible. */
const detailPx = 14;

/** A treemap. */
export const treemapPainter: Painter = {
  shape: boxShape,
  *paint(context) {
    drawBoxes(context);
    if (context.paint.labels === false) return;
    yield;
    drawTreemapLabels(context);
  },
};

/** The boxes, parents first; a gap of one pixel, two between pillars, stays free on the right and below. */
function drawBoxes(context: PaintContext): void {
  const { ctx, marks, paint, scale, tones } = context;
  const { x0, y0, x1, y1, row, kind, level, header } = marks;
  const { width, height } = { width: ctx.canvas.width / paint.dpr, height: ctx.canvas.height / paint.dpr };
  let filled = '';
  const fill = (colour: string) => {
    if (colour === filled) return;
    ctx.fillStyle = colour;
    filled = colour;
  };
  for (let i = 0; i < marks.count; i++) {
    const left = snap(Math.max(x0[i]!, -8), paint.dpr);
    const top = snap(Math.max(y0[i]!, -8), paint.dpr);
    const gap = gapOf(x1[i]! - x0[i]!, y1[i]! - y0[i]!, level[i]!);
    const right = snap(Math.min(x1[i]!, width + 8), paint.dpr) - gap;
    const bottom = snap(Math.min(y1[i]!, height + 8), paint.dpr) - gap;
    const index = scale.indexOf[row[i]!]!;
    const isDetailed = right - left >= detailPx && bottom - top >= detailPx && paint.labels !== false;
    if (kind[i] === markKind.node) {
      const edge = isDetailed ? tones.cellEdge(index, level[i]!) : '';
      if (edge !== '') {
        fill(edge);
        box(ctx, left, top, right - left, bottom - top, 3);
      }
      const inset = edge === '' ? 0 : 1;
      fill(tones.cell(index, level[i]!));
      box(ctx, left + inset, top + inset, right - left - 2 * inset, bottom - top - 2 * inset, isDetailed ? 3 : 0);
      if (isDetailed && paint.patterns) {
        fillPattern(context, index, tones.cellInk(index, level[i]!));
        filled = '';
      }
      if (isDetailed && index === unknownIndex) {
        texture(context, 'stripes', left, top, right - left, bottom - top);
        filled = '';
      }
    } else if (kind[i] === markKind.tail) {
      fill(tones.header(index, level[i]!));
      box(ctx, left, top, right - left, bottom - top, isDetailed ? 3 : 0);
      if (isDetailed) {
        texture(context, 'dots', left, top, right - left, bottom - top);
        filled = '';
      }
    } else {
      fill(tones.frame(index, level[i]!));
      const radius = isDetailed ? (level[i] === 1 ? 7 : 5) : 0;
      box(ctx, left, top, right - left, bottom - top, level[i] === 0 ? 0 : radius);
      const strip = Math.min(y0[i]! + header[i]!, bottom) - top;
      if (header[i]! >= namedStripPx && strip > 0) {
        fill(tones.header(index, level[i]!));
        headerStrip(ctx, left, top, right - left, strip, radius);
      }
    }
  }
}

/** Very small marks get no gap. */
function gapOf(width: number, height: number, level: number): number {
  const side = Math.min(width, height);
  if (level === 0 || side < 3) return 0;
  return side < 10 ? 0.5 : level === 1 && side > 40 ? 3 : 1;
}

function box(ctx: CanvasRenderingContext2D, x: number, y: number, width: number, height: number, radius: number): void {
  if (radius === 0) {
    ctx.fillRect(x, y, width, height);
    return;
  }
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, radius);
  ctx.fill();
}

function headerStrip(
  ctx: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
) {
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, [radius, radius, 0, 0]);
  ctx.fill();
}

function texture(
  { ctx, paint, palette }: PaintContext,
  kind: 'stripes' | 'dots',
  x: number,
  y: number,
  w: number,
  h: number,
) {
  ctx.fillStyle = textureOf(ctx, kind, palette.neutral, paint.dpr);
  ctx.globalAlpha = kind === 'dots' ? 0.45 : 0.7;
  ctx.fillRect(x, y, w, h);
  ctx.globalAlpha = 1;
}
