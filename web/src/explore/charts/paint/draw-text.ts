import { compactText, numberText } from '../../../ui/number-text.ts';
import type { PaintContext } from './painter.ts';
import { directionOf, type Writer } from './text.ts';

/** Draws a text at the alignment of the canvas. */
export function write({ ctx }: PaintContext, writer: Writer, text: string, x: number, y: number, ink: string): void {
  if (text === '') return;
  ctx.font = writer.font;
  ctx.fillStyle = ink;
  ctx.direction = directionOf(text);
  // The layout decides the position of names, whatever the writing direction.
  if (ctx.textAlign === 'start') ctx.textAlign = 'left';
  ctx.fillText(text, x, y);
}

/** Draws text over other marks, with an outline in the background colour to keep it readable. */
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

/** A figure beside or below a name, fainter because the name matters more. */
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

/** "+ 1,204 more", or "+1.2K" if that is too long, or nothing if even that is. */
export function tailText(hidden: number, writer: Writer, room: number): string {
  const texts = [`+ ${numberText(hidden)} more`, `+${compactText(hidden)}`];
  return texts.find((text) => writer.width(text) <= room) ?? '';
}
