import { compactText, numberText } from '../../../ui/number-text.ts';
import type { PaintContext } from './painter.ts';
import { directionOf, type Writer } from './text.ts';

/** Writes a text where the canvas' alignment says. */
export function write({ ctx }: PaintContext, writer: Writer, text: string, x: number, y: number, ink: string): void {
  if (text === '') return;
  ctx.font = writer.font;
  ctx.fillStyle = ink;
  ctx.direction = directionOf(text);
  // Names stand where their picture puts them, whichever way they run.
  if (ctx.textAlign === 'start') ctx.textAlign = 'left';
  ctx.fillText(text, x, y);
}

/** Over whatever is drawn there: with a rim of the ground's colour, so that it is read on it. */
export function writeOver(
  context: PaintContext,
  writer: Writer,
  text: string,
  x: number,
  y: number,
  ink: string,
): void {
  const { ctx, palette } = context;
  ctx.font = writer.font;
  ctx.direction = directionOf(text);
  ctx.lineJoin = 'round';
  ctx.lineWidth = 3;
  ctx.strokeStyle = palette.canvas;
  ctx.strokeText(text, x, y);
  write(context, writer, text, x, y, ink);
}

/** A figure beside or under a name, which matters more. */
export function writeFaintly(
  context: PaintContext,
  writer: Writer,
  text: string,
  x: number,
  y: number,
  ink: string,
): void {
  context.ctx.globalAlpha = 0.85;
  write(context, writer, text, x, y, ink);
  context.ctx.globalAlpha = 1;
}

/** "+ 1,204 more", "+1.2K" where that is too long, nothing where even that is. */
export function tailText(hidden: number, writer: Writer, room: number): string {
  const texts = [`+ ${numberText(hidden)} more`, `+${compactText(hidden)}`];
  return texts.find((text) => writer.width(text) <= room) ?? '';
}
