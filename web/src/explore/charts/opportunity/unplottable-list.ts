import { numberText } from '../../../ui/number-text.ts';
import { markKind, type Plot } from '../layout/layout.ts';
import { amountText } from '../paint/amount.ts';
import { tailText, write } from '../paint/draw-text.ts';
import { writersOf } from '../paint/fonts.ts';
import { type PaintContext, snap } from '../paint/painter.ts';
import { textureOf } from '../paint/textures.ts';
import { whyUnplaced } from './plot-text.ts';

const padding = 10;

/** Nodes without a position in the plot: a hatched list beside it, or one line over it with their number. */
export function drawUnplottableList(
  context: PaintContext,
  { listArea, isWide, listedFrom, unplottableCount, axes }: Plot,
): void {
  if (!listArea) return;
  const { ctx, marks, tree, palette, paint, scale } = context;
  const { small, header, cell } = writersOf(ctx);
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ctx.beginPath();
  ctx.roundRect(
    snap(listArea.x0, paint.dpr),
    snap(listArea.y0, paint.dpr),
    listArea.x1 - listArea.x0,
    listArea.y1 - listArea.y0,
    8,
  );
  ctx.fillStyle = textureOf(ctx, 'stripes', palette.line, paint.dpr);
  ctx.globalAlpha = 0.35;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.strokeStyle = palette.line;
  ctx.lineWidth = 1;
  ctx.stroke();
  const room = listArea.x1 - listArea.x0 - 2 * padding;
  if (isWide) {
    write(
      context,
      header,
      `${numberText(unplottableCount)} not shown`,
      listArea.x0 + padding,
      listArea.y0 + 14,
      palette.ink,
    );
    write(
      context,
      small,
      small.fit(whyUnplaced(axes), room),
      listArea.x0 + padding,
      listArea.y0 + 30,
      palette.mutedInk,
    );
  }
  for (let i = listedFrom; i < marks.count; i++) {
    const y = (marks.y0[i]! + marks.y1[i]!) / 2;
    const left = marks.x0[i]! + padding;
    if (marks.kind[i] === markKind.tail) {
      const text = isWide
        ? tailText(marks.hidden[i]!, small, room)
        : small.fit(`${numberText(marks.hidden[i]!)} not shown (${whyUnplaced(axes)})`, room);
      write(context, small, text, left, y, palette.mutedInk);
      continue;
    }
    const row = marks.row[i]!;
    ctx.beginPath();
    ctx.arc(left + 4, y, 4, 0, 2 * Math.PI);
    ctx.fillStyle = scale.colours[scale.indexOf[row]!]!;
    ctx.fill();
    const amount = amountText(tree, row, paint.sizeBy);
    const beside = amount === '' ? 0 : small.width(amount) + 8;
    write(context, cell, cell.fit(tree.name(row), room - 14 - beside), left + 14, y, palette.ink);
    write(context, small, amount, listArea.x1 - padding - small.width(amount), y, palette.mutedInk);
  }
}
