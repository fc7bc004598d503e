import { markKind } from '../layout/layout.ts';
import { amountText } from '../paint/amount.ts';
import { linkShape } from '../paint/box-shape.ts';
import { tailText, write } from '../paint/draw-text.ts';
import { fillPattern } from '../paint/fill-pattern.ts';
import { writersOf } from '../paint/fonts.ts';
import { nameChoices, nameToCut } from '../paint/name-choices.ts';
import type { Painter } from '../paint/painter.ts';
import { type PaintContext, snap } from '../paint/painter.ts';
import { textureOf } from '../paint/textures.ts';

/** Boxes lower than this, in CSS pixels, have no text. */
const textPx = 13;

/** A tidy tree: lines first, then the boxes over their ends. */
export const treePainter: Painter = {
  shape: linkShape,
  paint(context) {
    drawLines(context);
    drawNodes(context);
    if (context.paint.labels !== false) drawNames(context);
  },
};

/** One path for consecutive lines of one colour: marks of one parent are neighbours, so colours come in runs. */
function drawLines({ ctx, marks, scale, tones, palette }: PaintContext): void {
  const { x0, y0, x1, y1, row, parent } = marks;
  ctx.lineWidth = 1.25;
  let stroked = '';
  for (let i = 0; i < marks.count; i++) {
    const from = parent[i]!;
    if (from === -1) continue;
    const colour = scale.isSequential ? palette.line : tones.cell(scale.indexOf[row[i]!]!, 1);
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

function drawNodes(context: PaintContext): void {
  const { ctx, marks, scale, tones, paint, palette } = context;
  const { x0, y0, x1, y1, row, kind } = marks;
  for (let i = 0; i < marks.count; i++) {
    const [left, top] = [snap(x0[i]!, paint.dpr), snap(y0[i]!, paint.dpr)];
    const [width, height] = [snap(x1[i]!, paint.dpr) - left, Math.max(1, snap(y1[i]!, paint.dpr) - top)];
    const index = scale.indexOf[row[i]!]!;
    const isRound = height >= 6 && paint.labels !== false;
    ctx.fillStyle = kind[i] === markKind.tail ? tones.frame(index, 1) : tones.frame(index, 3);
    ctx.beginPath();
    if (isRound) ctx.roundRect(left, top, width, height, Math.min(6, height / 3));
    else ctx.rect(left, top, width, height);
    ctx.fill();
    if (kind[i] === markKind.tail) {
      if (!isRound) continue;
      ctx.globalAlpha = 0.35;
      ctx.fillStyle = textureOf(ctx, 'dots', palette.neutral, paint.dpr);
      ctx.fill();
      ctx.globalAlpha = 1;
    } else {
      if (isRound) fillPattern(context, index, palette.ink);
      ctx.fillStyle = scale.colours[index]!;
      ctx.fillRect(left, top + height * 0.2, Math.min(3, width), height * 0.6);
    }
  }
}

function drawNames(context: PaintContext): void {
  const { ctx, marks, tree, palette, paint } = context;
  const { x0, y0, x1, y1, row, kind, parent, hidden, level } = marks;
  const writers = writersOf(ctx);
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
    const count = amountText(tree, row[i]!, paint.sizeBy);
    // A closed branch shows that it has children: "▸" before its count.
    const badge = isBranch && kind[i] === markKind.node ? `▸ ${count}` : count;
    const badgeWidth = badge === '' ? 0 : writers.small.width(badge) + 8;
    const writer = level[i]! <= 1 ? writers.header : writers.cell;
    const room = right - left - badgeWidth;
    const choices = nameChoices(tree, row[i]!, parent[i] !== -1);
    const shown = choices.find((name) => writer.width(name) <= room) ?? nameToCut(tree, row[i]!, choices);
    write(context, writer, writer.fit(shown, room), left, y, palette.ink);
    write(context, writers.small, badge, right - badgeWidth + 8, y, palette.mutedInk);
  }
}
