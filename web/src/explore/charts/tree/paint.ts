import { markKind } from '../layout/layout.ts';
import { nameFor } from '../paint/names.ts';
import type { Chart } from '../paint/painter.ts';
import { type PaintContext, type Painter, snap } from '../paint/painter.ts';
import { linkShape } from '../paint/shapes.ts';
import { amountText, tailText, write } from '../paint/text.ts';
import { fillPattern, fillTexture } from '../paint/textures.ts';
import { createTree } from './layout.ts';

/** Boxes lower than this, in CSS pixels, have no text. */
const textPx = 13;
/** Boxes lower than this, in CSS pixels, have square corners and no texture: neither would be visible. */
const detailPx = 6;
/** Levels whose opacity is used for every box and line of one kind, whatever its own level: see `tones.ts`. */
const tailTone = 1;
const boxTone = 3;
const lineTone = 1;
/** Between a name and its figure, in CSS pixels. */
const gapPx = 8;

/** A tidy tree: lines first, then the boxes over their ends. */
export const treePainter: Painter = {
  shape: linkShape,
  paint(context) {
    drawLines(context);
    drawNodes(context);
    drawNames(context);
  },
};

export const tree: Chart = { createLayout: createTree, painter: treePainter };

/**
 * Curves from the right edge of each parent to the left edge of its children. Consecutive curves of one colour share a
 * path: siblings are adjacent marks, so colours come in runs.
 */
function drawLines({ ctx, marks, scale, tones, palette }: PaintContext): void {
  const { x0, y0, x1, y1, row, parent } = marks;
  ctx.lineWidth = 1.25;
  let stroked = '';
  for (let i = 0; i < marks.count; i++) {
    const from = parent[i]!;
    if (from === -1) continue;
    const colour = scale.isSequential ? palette.line : tones.cell(scale.indexOf[row[i]!]!, lineTone);
    if (colour !== stroked) {
      if (stroked !== '') ctx.stroke();
      ctx.strokeStyle = colour;
      ctx.beginPath();
      stroked = colour;
    }
    const [startX, startY] = [x1[from]!, (y0[from]! + y1[from]!) / 2];
    const [endX, endY] = [x0[i]!, (y0[i]! + y1[i]!) / 2];
    const middle = (startX + endX) / 2;
    ctx.moveTo(startX, startY);
    ctx.bezierCurveTo(middle, startY, middle, endY, endX, endY);
  }
  if (stroked !== '') ctx.stroke();
}

/** Boxes with their colour as a bar at the left edge; a tail has dots instead. */
function drawNodes(context: PaintContext): void {
  const { ctx, marks, scale, tones, paint, palette } = context;
  const { x0, y0, x1, y1, row, kind } = marks;
  for (let i = 0; i < marks.count; i++) {
    const [left, top] = [snap(x0[i]!, paint.dpr), snap(y0[i]!, paint.dpr)];
    const [width, height] = [snap(x1[i]!, paint.dpr) - left, Math.max(1, snap(y1[i]!, paint.dpr) - top)];
    const index = scale.indexOf[row[i]!]!;
    const isDetailed = height >= detailPx;
    ctx.fillStyle = tones.frame(index, kind[i] === markKind.tail ? tailTone : boxTone);
    ctx.beginPath();
    if (isDetailed) ctx.roundRect(left, top, width, height, Math.min(6, height / 3));
    else ctx.rect(left, top, width, height);
    ctx.fill();
    if (kind[i] === markKind.tail) {
      if (isDetailed) fillTexture(context, 'dots', 0.35);
    } else {
      if (isDetailed) fillPattern(context, index, palette.ink);
      ctx.fillStyle = scale.colours[index]!;
      ctx.fillRect(left, top + height * 0.2, Math.min(3, width), height * 0.6);
    }
  }
}

/** Each box has its name at the left and its figure at the right. */
function drawNames(context: PaintContext): void {
  const { ctx, marks, tree, palette, paint, writers } = context;
  const { x0, y0, x1, y1, row, kind, parent, hidden, level } = marks;
  ctx.textBaseline = 'middle';
  for (let i = 0; i < marks.count; i++) {
    if (y1[i]! - y0[i]! < textPx) continue;
    const y = (y0[i]! + y1[i]!) / 2 + 0.5;
    const [left, right] = [x0[i]! + 10, x1[i]! - 8];
    if (kind[i] === markKind.tail) {
      write(context, writers.small, tailText(hidden[i]!, writers.small, right - left), left, y, palette.mutedInk);
      continue;
    }
    const isBranch = tree.childCount[row[i]!]! > 0;
    const figure = amountText(tree, row[i]!, paint.sizeBy);
    // "▸" before the figure of a closed branch shows that it has children.
    const badge = isBranch && kind[i] === markKind.node ? `▸ ${figure}` : figure;
    const badgeWidth = badge === '' ? 0 : writers.small.width(badge) + gapPx;
    const writer = level[i]! <= 1 ? writers.header : writers.cell;
    const room = right - left - badgeWidth;
    const name = nameFor(tree, row[i]!, parent[i] !== -1, writer, room);
    write(context, writer, writer.fit(name, room), left, y, palette.ink);
    write(context, writers.small, badge, right - badgeWidth + gapPx, y, palette.mutedInk);
  }
}
