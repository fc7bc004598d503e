import { markKind } from '../layout/layout.ts';
import { amountText } from '../paint/amount.ts';
import { bent, canBend } from '../paint/bent-text.ts';
import { tailText, write, writeFaintly } from '../paint/draw-text.ts';
import { type Writers, writersOf } from '../paint/fonts.ts';
import { nameChoices } from '../paint/name-choices.ts';
import type { PaintContext } from '../paint/painter.ts';
import type { Writer } from '../paint/text.ts';
import { hasRoomAsLast, linesInCircle, readablePx } from './label-lines.ts';

/** A rim this wide, in CSS pixels, has room for a line of text. */
const rimForText = 14;
/** How far a name may run around the rim, in turns. */
const longestTurns = 0.42;

/** Gap between the text in a circle and its rim. */
const rimPx = 3;

/** Number of names written in one step. */
const namesAtOnce = 120;

/**
 * Names: around the rim of an open branch, in the middle of everything else. No text leaves its own circle or rim.
 * Drawn in steps, because text is most of the cost of drawing bubbles.
 */
export function* drawBubbleLabels(context: PaintContext): Generator<void> {
  const { ctx, marks } = context;
  const writers = writersOf(ctx);
  const align = () => {
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'center';
  };
  align();
  let written = 0;
  for (let i = 1; i < marks.count; i++) {
    const radius = (marks.x1[i]! - marks.x0[i]!) / 2;
    if (radius < readablePx) continue;
    if (++written % namesAtOnce === 0) {
      yield;
      align();
    }
    if (marks.kind[i] === markKind.group) labelRim(context, writers, i, radius);
    else if (marks.kind[i] === markKind.node) labelInside(context, writers, i, radius);
    else if (!fillsParent(context, i)) labelTail(context, writers, i, radius);
  }
  ctx.textAlign = 'left';
}

function labelRim(context: PaintContext, writers: Writers, i: number, radius: number): void {
  const { marks, palette } = context;
  if (marks.header[i]! < rimForText) return;
  const [x, y] = [marks.x0[i]! + radius, marks.y0[i]! + radius];
  const writer = marks.level[i] === 1 ? writers.header : writers.small;
  const line = radius - marks.header[i]! / 2;
  const name = nameOf(context, i);
  if (canBend(name)) {
    const room = longestTurns * 2 * Math.PI * line;
    const fitting = nameChoices(context.tree, context.marks.row[i]!).find((text) => writer.width(text) <= room);
    if (fitting !== undefined) bent(context, { x, y, radius: line }, writer, fitting, 0, palette.ink);
    return;
  }
  // A straight line below the top of the circle, as long as the chord of the rim there.
  const low = radius - marks.header[i]! + 1;
  const room = 2 * Math.sqrt(Math.max(0, (radius - 3) ** 2 - (low + 10) ** 2));
  if (writer.width(name) <= room) write(context, writer, name, x, y - low - 5, palette.ink);
}

/** Uses as many lines as the circle has room for, with the figure below them if it fits. */
function labelInside(context: PaintContext, writers: Writers, i: number, radius: number): void {
  const { marks, tree, tones, scale, paint } = context;
  const row = marks.row[i]!;
  const [x, y] = [marks.x0[i]! + radius, marks.y0[i]! + radius];
  const ink = tones.cellInk(scale.indexOf[row]!, marks.level[i]!);
  let amount = radius > 26 ? amountText(tree, row, paint.sizeBy) : '';
  let { lines, writer } = nameInside(context, writers, i, radius, amount === '' ? 0 : 1);
  const hasBoth = hasRoomAsLast(writers.small, amount, radius - rimPx, lines.length + 1, writer.lineHeight);
  // The name matters more than its figure.
  if (amount !== '' && (lines.length === 0 || !hasBoth)) {
    amount = '';
    ({ lines, writer } = nameInside(context, writers, i, radius, 0));
  }
  if (lines.length === 0) return;
  const count = lines.length + (amount === '' ? 0 : 1);
  let at = y - ((count - 1) * writer.lineHeight) / 2;
  for (const line of lines) {
    write(context, writer, line, x, at, ink);
    at += writer.lineHeight;
  }
  writeFaintly(context, writers.small, amount, x, at, ink);
}

/** The lines of a name, in small letters if it does not fit whole at its own size. @param more lines below it */
function nameInside(context: PaintContext, writers: Writers, i: number, radius: number, more: number) {
  const inside = (writer: Writer) => ({
    writer,
    ...linesInCircle(writer, nameChoices(context.tree, context.marks.row[i]!), radius - rimPx, more),
  });
  const usual = inside(radius > 70 ? writers.big : radius > 30 ? writers.cell : writers.small);
  return usual.isWhole ? usual : inside(writers.small);
}

function labelTail(context: PaintContext, writers: Writers, i: number, radius: number): void {
  const { marks, palette } = context;
  const text = tailText(marks.hidden[i]!, writers.small, radius * 1.7);
  write(context, writers.small, text, marks.x0[i]! + radius, marks.y0[i]! + radius, palette.mutedInk);
}

/** A tail below its siblings has no free middle. */
function fillsParent({ marks }: PaintContext, i: number): boolean {
  const parent = marks.parent[i]!;
  const both = marks.x0[i]! + marks.x1[i]! - marks.x0[parent]! - marks.x1[parent]!;
  return Math.abs(both) < 0.01 && Math.abs(marks.y0[i]! + marks.y1[i]! - marks.y0[parent]! - marks.y1[parent]!) < 0.01;
}

const nameOf = ({ marks, tree }: PaintContext, i: number) => tree.name(marks.row[i]!);
