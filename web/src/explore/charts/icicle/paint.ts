import { markKind, readable } from '../layout/layout.ts';
import { amountText, wholeAmount } from '../paint/amount.ts';
import { barShape } from '../paint/box-shape.ts';
import { unknownIndex } from '../paint/colour-scale.ts';
import { tailText, write, writeFaintly } from '../paint/draw-text.ts';
import { fillPattern } from '../paint/fill-pattern.ts';
import { type Writers, writersOf } from '../paint/fonts.ts';
import { nameChoices, nameToCut } from '../paint/name-choices.ts';
import type { Painter } from '../paint/painter.ts';
import { type PaintContext, snap } from '../paint/painter.ts';
import type { Writer } from '../paint/text.ts';
import { textureOf } from '../paint/textures.ts';

/** Bars lower than this, in CSS pixels, have square corners and no texture: neither would be visible. */
const detailPx = 12;
const padding = 7;
const mostLines = 3;

/** An icicle chart: columns of bars, each bar fainter the deeper its level. */
export const iciclePainter: Painter = {
  shape: barShape,
  paint(context) {
    drawBars(context);
    if (context.paint.labels !== false) drawNames(context);
  },
};

function drawBars(context: PaintContext): void {
  const { ctx, marks, scale, tones, paint, palette } = context;
  const { x0, y0, x1, y1, row, kind, level } = marks;
  const viewHeight = ctx.canvas.height / paint.dpr;
  const viewWidth = ctx.canvas.width / paint.dpr;
  for (let i = 0; i < marks.count; i++) {
    if (x1[i]! <= 0 || x0[i]! >= viewWidth) continue;
    const left = snap(x0[i]!, paint.dpr);
    const right = snap(x1[i]!, paint.dpr) - 1;
    const top = snap(Math.max(y0[i]!, -8), paint.dpr);
    const bottom = snap(Math.min(y1[i]!, viewHeight + 8), paint.dpr);
    const gap = y1[i]! - y0[i]! < 4 ? 0.5 : 1;
    const height = Math.max(0.5, bottom - top - gap);
    const index = scale.indexOf[row[i]!]!;
    const isDetailed = height >= detailPx && paint.labels !== false;
    ctx.beginPath();
    if (isDetailed) ctx.roundRect(left, top, right - left, height, 3);
    else ctx.rect(left, top, right - left, height);
    if (kind[i] === markKind.tail) {
      ctx.fillStyle = tones.frame(index, level[i]!);
      ctx.fill();
      if (isDetailed) pattern(ctx, 'dots', palette.neutral, paint.dpr, 0.45);
      continue;
    }
    ctx.fillStyle = tones.cell(index, level[i]!);
    ctx.fill();
    if (isDetailed) fillPattern(context, index, tones.cellInk(index, level[i]!));
    if (isDetailed && index === unknownIndex) pattern(ctx, 'stripes', palette.neutral, paint.dpr, 0.7);
  }
}

/** Fills the current path again with a pattern. */
function pattern(
  ctx: CanvasRenderingContext2D,
  texture: 'dots' | 'stripes',
  colour: string,
  dpr: number,
  strength: number,
): void {
  ctx.fillStyle = textureOf(ctx, texture, colour, dpr);
  ctx.globalAlpha = strength;
  ctx.fill();
  ctx.globalAlpha = 1;
}

/** Every text stays inside its own bar, centred in its visible part. Bars do not overlap. */
function drawNames(context: PaintContext): void {
  const { ctx, marks, paint, palette } = context;
  const writers = writersOf(ctx);
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  const [viewWidth, viewHeight] = [ctx.canvas.width / paint.dpr, ctx.canvas.height / paint.dpr];
  for (let i = 0; i < marks.count; i++) {
    const top = Math.max(marks.y0[i]!, 0);
    const height = Math.min(marks.y1[i]!, viewHeight) - top;
    if (height < readable.height - 1) continue;
    const left = Math.max(marks.x0[i]!, 0) + padding;
    const room = Math.min(marks.x1[i]!, viewWidth) - padding - left;
    if (room < readable.width - 2 * padding) continue;
    if (marks.kind[i] === markKind.tail) {
      const text = tailText(marks.hidden[i]!, writers.small, room);
      write(context, writers.small, text, left, top + height / 2, palette.mutedInk);
    } else barName(context, writers, i, left, room, top, height);
  }
}

/** The name with its figure: beside it in a low bar, below it in a tall one. */
function barName(
  context: PaintContext,
  writers: Writers,
  i: number,
  left: number,
  room: number,
  top: number,
  height: number,
): void {
  const { marks, tree, tones, scale, paint } = context;
  const row = marks.row[i]!;
  const ink = tones.cellInk(scale.indexOf[row]!, marks.level[i]!);
  const isBranch = tree.childCount[row]! > 0;
  const writer = height < 18 ? writers.small : isBranch ? writers.header : writers.cell;
  const amount = wholeAmount(amountText(tree, row, paint.sizeBy), writers.small, room);
  const linesThatFit = Math.floor((height - 4) / writer.lineHeight);
  if (linesThatFit < 2) {
    const beside = amount === '' ? 0 : writers.small.width(amount) + 8;
    // A whole name says more than part of it and a figure.
    const isCutByAmount = writer.width(labelOf(context, i, writer, room - beside)) > room - beside;
    const hasAmount = beside > 0 && !isCutByAmount;
    const nameRoom = hasAmount ? room - beside : room;
    write(context, writer, writer.fit(labelOf(context, i, writer, nameRoom), nameRoom), left, top + height / 2, ink);
    if (hasAmount) writeFaintly(context, writers.small, amount, left + room - beside + 8, top + height / 2, ink);
    return;
  }
  const under = amount === '' ? 0 : 1;
  const most = Math.min(mostLines, linesThatFit - under);
  const lines = writer.wrap(labelOf(context, i, writer, room * most), room, most);
  let y = top + (height - (lines.length + under) * writer.lineHeight) / 2 + writer.lineHeight / 2;
  for (const line of lines) {
    write(context, writer, line, left, y, ink);
    y += writer.lineHeight;
  }
  if (under) writeFaintly(context, writers.small, amount, left, y, ink);
}

/** The longest of its names that fits, otherwise the shortest. */
function labelOf({ marks, tree }: PaintContext, i: number, writer: Writer, room: number): string {
  const choices = nameChoices(tree, marks.row[i]!, marks.parent[i] !== -1);
  return choices.find((name) => writer.width(name) <= room) ?? nameToCut(tree, marks.row[i]!, choices);
}
