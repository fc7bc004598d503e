import { markKind, readable } from '../layout/layout.ts';
import { roomBeforePlates } from '../paint/draw-warnings.ts';
import { nameFor } from '../paint/names.ts';
import type { Chart } from '../paint/painter.ts';
import { type PaintContext, type Painter, snap, viewOf } from '../paint/painter.ts';
import { barShape } from '../paint/shapes.ts';
import { amountText, tailText, wholeAmount, write, writeFaintly } from '../paint/text.ts';
import { fillPattern, fillTexture } from '../paint/textures.ts';
import { unknownIndex } from '../paint/value-steps.ts';
import { createIcicle } from './layout.ts';

/** Bars lower than this, in CSS pixels, have square corners and no texture: neither would be visible. */
const detailPx = 12;
/** Between a text and the left and right edge of its bar, and between a name and its figure, in CSS pixels. */
const padding = 7;
const gapPx = 8;
/** A name has at most this many lines. */
const maxLines = 3;
/** A bar is drawn this far, in CSS pixels, beyond the viewport: enough to keep its rounded corners out of view. */
const overhangPx = 8;

/** An icicle chart: columns of bars, each bar fainter the deeper its level. */
export const iciclePainter: Painter = {
  shape: barShape,
  paint(context) {
    drawBars(context);
    drawNames(context);
  },
};

export const icicle: Chart = { createLayout: createIcicle, painter: iciclePainter };

function drawBars(context: PaintContext): void {
  const { ctx, marks, scale, tones, paint } = context;
  const { x0, y0, x1, y1, row, kind, level } = marks;
  const view = viewOf(context);
  for (let i = 0; i < marks.count; i++) {
    if (x1[i]! <= 0 || x0[i]! >= view.width) continue;
    const left = snap(x0[i]!, paint.dpr);
    const right = snap(x1[i]!, paint.dpr) - 1;
    const top = snap(Math.max(y0[i]!, -overhangPx), paint.dpr);
    const bottom = snap(Math.min(y1[i]!, view.height + overhangPx), paint.dpr);
    const gap = y1[i]! - y0[i]! < 4 ? 0.5 : 1;
    const height = Math.max(0.5, bottom - top - gap);
    const index = scale.indexOf[row[i]!]!;
    const isDetailed = height >= detailPx;
    ctx.beginPath();
    if (isDetailed) ctx.roundRect(left, top, right - left, height, 3);
    else ctx.rect(left, top, right - left, height);
    if (kind[i] === markKind.tail) {
      ctx.fillStyle = tones.frame(index, level[i]!);
      ctx.fill();
      if (isDetailed) fillTexture(context, 'dots');
      continue;
    }
    ctx.fillStyle = tones.cell(index, level[i]!);
    ctx.fill();
    if (isDetailed) fillPattern(context, index, tones.cellInk(index, level[i]!));
    if (isDetailed && index === unknownIndex) fillTexture(context, 'stripes');
  }
}

/** Every text stays inside its own bar, centred in its visible part. Bars do not overlap. */
function drawNames(context: PaintContext): void {
  const { ctx, marks, palette, writers } = context;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  const view = viewOf(context);
  for (let i = 0; i < marks.count; i++) {
    const top = Math.max(marks.y0[i]!, 0);
    const height = Math.min(marks.y1[i]!, view.height) - top;
    if (height < readable.height - 1) continue;
    const left = Math.max(marks.x0[i]!, 0) + padding;
    const room = Math.min(marks.x1[i]!, view.width) - padding - left;
    if (room < readable.width - 2 * padding) continue;
    if (marks.kind[i] === markKind.tail) {
      const text = tailText(marks.hidden[i]!, writers.small, room);
      write(context, writers.small, text, left, top + height / 2, palette.mutedInk);
    } else drawName(context, i, left, room, top, height);
  }
}

/**
 * Draws the name of a bar with its figure: beside the name in a low bar, below it in a tall one.
 *
 * @param left of the text; `width` is that of the bar without its edges, `top` and `height` are the visible part of the bar, in CSS
 *   pixels
 */
function drawName(context: PaintContext, i: number, left: number, width: number, top: number, height: number): void {
  const { marks, tree, tones, scale, paint, plates, writers } = context;
  const row = marks.row[i]!;
  const ink = tones.cellInk(scale.indexOf[row]!, marks.level[i]!);
  const isBranch = tree.childCount[row]! > 0;
  const writer = height < 18 ? writers.small : isBranch ? writers.header : writers.cell;
  const linesThatFit = Math.floor((height - 4) / writer.lineHeight);
  const textHeight = Math.max(1, Math.min(linesThatFit, maxLines + 1)) * writer.lineHeight;
  const room = roomBeforePlates(plates, { left, y: top + height / 2, height: textHeight, room: width });
  const amount = wholeAmount(amountText(tree, row, paint.sizeBy), writers.small, room);
  const nameFitting = (width: number) => nameFor(tree, row, marks.parent[i] !== -1, writer, width);
  if (linesThatFit < 2) {
    const beside = amount === '' ? 0 : writers.small.width(amount) + gapPx;
    // A whole name says more than part of it and a figure.
    const isCutByAmount = writer.width(nameFitting(room - beside)) > room - beside;
    const hasAmount = beside > 0 && !isCutByAmount;
    const nameRoom = hasAmount ? room - beside : room;
    write(context, writer, writer.fit(nameFitting(nameRoom), nameRoom), left, top + height / 2, ink);
    if (hasAmount) writeFaintly(context, writers.small, amount, left + room - beside + gapPx, top + height / 2, ink);
    return;
  }
  const figureLines = amount === '' ? 0 : 1;
  const nameLines = Math.min(maxLines, linesThatFit - figureLines);
  const lines = writer.wrap(nameFitting(room * nameLines), room, nameLines);
  let y = top + (height - (lines.length + figureLines) * writer.lineHeight) / 2 + writer.lineHeight / 2;
  for (const line of lines) {
    write(context, writer, line, left, y, ink);
    y += writer.lineHeight;
  }
  if (figureLines > 0) writeFaintly(context, writers.small, amount, left, y, ink);
}
