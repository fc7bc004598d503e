import { markKind, readable } from '../layout/layout.ts';
import { roomBeforePlates } from '../paint/draw-warnings.ts';
import { nameChoices, nameToCut, uncutLabel } from '../paint/names.ts';
import { type Chart, type PaintContext, type Painter, snap, viewOf } from '../paint/painter.ts';
import { boxShape } from '../paint/shapes.ts';
import { amountText, tailText, type Writer, wholeAmount, write, writeFaintly } from '../paint/text.ts';
import { fillPattern, fillTexture } from '../paint/textures.ts';
import { unknownIndex } from '../paint/value-steps.ts';
import { namedStripPx } from './chrome.ts';
import { createTreemap } from './layout.ts';

/** Marks smaller than this, in CSS pixels, have square corners and no texture: neither would be visible. */
const detailPx = 14;

/** A treemap. */
export const treemapPainter: Painter = {
  shape: boxShape,
  *paint(context) {
    drawBoxes(context);
    yield;
    drawTreemapLabels(context);
  },
};

export const treemap: Chart = { createLayout: createTreemap, painter: treemapPainter };

/** The boxes, parents first; a gap of one pixel, two between pillars, stays free on the right and below. */
function drawBoxes(context: PaintContext): void {
  const { ctx, marks, paint, scale, tones } = context;
  const { x0, y0, x1, y1, row, kind, level, header } = marks;
  const { width, height } = viewOf(context);
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
    const isDetailed = right - left >= detailPx && bottom - top >= detailPx;
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
        box(ctx, left, top, right - left, strip, radius === 0 ? 0 : [radius, radius, 0, 0]);
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

function box(
  ctx: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number | number[],
): void {
  if (radius === 0) {
    ctx.fillRect(x, y, width, height);
    return;
  }
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, radius);
  ctx.fill();
}

function texture(context: PaintContext, kind: 'stripes' | 'dots', x: number, y: number, w: number, h: number): void {
  context.ctx.beginPath();
  context.ctx.rect(x, y, w, h);
  fillTexture(context, kind);
}

const padding = 6;
const maxLines = 5;
/** The narrowest box with room for a name from the bottom up, in CSS pixels. */
const uprightPx = 16;
/** A name truncated to less than this share, and to fewer letters, is not useful: "how to…", a hundred times. */
const minShare = 0.4;
const minLetters = 9;

/** Names and counts. Every text stays inside its own box, and boxes do not overlap, so texts do not either. */
function drawTreemapLabels(context: PaintContext): void {
  const { ctx, marks } = context;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  const view = viewOf(context);
  for (let i = 0; i < marks.count; i++) {
    // A box that extends beyond the viewport has its name in the visible part.
    const left = Math.max(marks.x0[i]!, 0) + padding;
    const right = Math.min(marks.x1[i]!, view.width) - padding;
    const room = right - left;
    if (marks.kind[i] === markKind.tail) labelTail(context, i, left, room);
    if (room < readable.width - 2 * padding) {
      if (marks.kind[i] === markKind.node) labelUpright(context, i);
      continue;
    }
    if (marks.kind[i] === markKind.group) labelGroup(context, i, left, room);
    else if (marks.y1[i]! - marks.y0[i]! < readable.height) continue;
    else if (marks.kind[i] !== markKind.tail) labelCell(context, i, left, room);
  }
}

function labelGroup(context: PaintContext, i: number, left: number, room: number): void {
  const { marks, tree, tones, scale, paint, writers } = context;
  const strip = marks.header[i]!;
  if (strip < namedStripPx) return;
  const row = marks.row[i]!;
  const ink = tones.headerInk(scale.indexOf[row]!, marks.level[i]!);
  const writer = marks.level[i] === 1 ? writers.title : writers.header;
  const y = marks.y0[i]! + strip / 2 + 0.5;
  const count = amountText(tree, row, paint.sizeBy);
  const countWidth = writers.small.width(count) + 10;
  const hasCount = count !== '' && room > countWidth + 60;
  const nameRoom = hasCount ? room - countWidth : room;
  write(context, writer, writer.fit(labelOf(context, i, writer, nameRoom), nameRoom), left, y, ink);
  if (!hasCount) return;
  writeFaintly(context, writers.small, count, left + room - countWidth + 10, y, ink);
}

function labelTail(context: PaintContext, i: number, left: number, room: number): void {
  const { marks, palette, writers } = context;
  if (marks.y1[i]! - marks.y0[i]! < readable.height) return;
  const text = tailText(marks.hidden[i]!, writers.small, room);
  write(context, writers.small, text, left, (marks.y0[i]! + marks.y1[i]!) / 2, palette.mutedInk);
}

function labelCell(context: PaintContext, i: number, left: number, room: number): void {
  const { marks, tree, tones, scale, paint, writers } = context;
  const row = marks.row[i]!;
  const view = viewOf(context);
  const top = Math.max(marks.y0[i]!, 0);
  const height = Math.min(marks.y1[i]!, view.height) - top;
  if (height < readable.height) return;
  const ink = tones.cellInk(scale.indexOf[row]!, marks.level[i]!);
  const writer = room > 150 && height > 70 ? writers.big : height < 20 || room < 70 ? writers.small : writers.cell;
  const linesThatFit = Math.floor((height - 4) / writer.lineHeight);
  const first = linesThatFit <= 1 ? top + height / 2 : top + 4 + writer.lineHeight / 2;
  const roomOf = (line: number) =>
    roomBeforePlates(context.plates, { left, y: first + line * writer.lineHeight, height: writer.lineHeight, room });
  // A name stays above the plates, unless there is one line only, which ends before them.
  let nameLines = 1;
  while (nameLines < Math.min(maxLines, linesThatFit) && roomOf(nameLines) === room) nameLines++;
  const lines = linesOf(context, i, writer, nameLines === 1 ? roomOf(0) : room, nameLines);
  for (const [at, line] of lines.entries()) write(context, writer, line, left, first + at * writer.lineHeight, ink);
  if (lines.length === 0 || lines.length >= linesThatFit) return;
  const amount = wholeAmount(amountText(tree, row, paint.sizeBy), writers.small, roomOf(lines.length));
  writeFaintly(context, writers.small, amount, left, first + lines.length * writer.lineHeight, ink);
}

/** Writes the name from the bottom up into a box that is too narrow for a line, but high enough. */
function labelUpright(context: PaintContext, i: number): void {
  const { ctx, marks, tones, scale, plates, writers } = context;
  const writer = writers.small;
  const left = Math.max(marks.x0[i]!, 0);
  const view = viewOf(context);
  const width = Math.min(marks.x1[i]!, view.width) - left;
  const top = Math.max(marks.y0[i]!, 0);
  const middle = left + width / 2;
  let bottom = Math.min(marks.y1[i]!, view.height);
  for (const plate of plates) {
    const isInWay = Math.abs(plate.x - middle) < (plate.width + width) / 2 && plate.y > top && plate.y < bottom;
    if (isInWay) bottom = plate.y - plate.height / 2;
  }
  const room = bottom - top - 2 * padding;
  if (width < uprightPx || room < readable.width - 2 * padding) return;
  const name = labelOf(context, i, writer, room);
  const text = writer.fit(name, room);
  if (!saysEnough([text], name)) return;
  ctx.save();
  ctx.translate(middle, bottom - padding);
  ctx.rotate(-Math.PI / 2);
  write(context, writer, text, 0, 0, tones.cellInk(scale.indexOf[marks.row[i]!]!, marks.level[i]!));
  ctx.restore();
}

/**
 * The longest of its names that fits whole in so many lines; otherwise the beginning of the shortest, if it is long
 * enough.
 */
function linesOf(context: PaintContext, i: number, writer: Writer, room: number, lineCount: number): readonly string[] {
  const choices = choicesOf(context, i);
  const last = nameToCut(context.tree, context.marks.row[i]!, choices);
  for (const name of [...choices, last]) {
    const lines = writer.wrap(name, room, lineCount);
    if (lines.join(' ') === name) return lines;
  }
  const name = uncutLabel(last, (text) => writer.width(text) <= room);
  const lines = writer.wrap(name, room, lineCount);
  return saysEnough(lines, name) ? lines : [];
}

function saysEnough(lines: readonly string[], name: string): boolean {
  let shown = 0;
  for (const line of lines) shown += line.length + 1;
  return lines.length > 0 && (shown > name.length * minShare || shown >= minLetters);
}

/** The longest of its names that fits, otherwise the shortest. */
function labelOf(context: PaintContext, i: number, writer: Writer, room: number): string {
  const choices = choicesOf(context, i);
  const hasRoom = (text: string) => writer.width(text) <= room;
  return choices.find(hasRoom) ?? uncutLabel(nameToCut(context.tree, context.marks.row[i]!, choices), hasRoom);
}

function choicesOf({ marks, tree }: PaintContext, i: number): readonly string[] {
  const parent = marks.parent[i]!;
  return nameChoices(tree, marks.row[i]!, parent !== -1 && marks.header[parent]! >= namedStripPx);
}
