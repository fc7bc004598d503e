import { markKind, turnOf } from '../layout/layout.ts';
import { bent, canBend, turned } from '../paint/bent-text.ts';
import { nameChoices } from '../paint/names.ts';
import { type Chart, type PaintContext, type Painter, viewOf } from '../paint/painter.ts';
import { angleOf, arcShape, arcsOf } from '../paint/shapes.ts';
import { amountText, tailText, type Writer, wholeAmount, write, writeFaintly } from '../paint/text.ts';
import { fillPattern, fillTexture } from '../paint/textures.ts';
import { unknownIndex } from '../paint/value-steps.ts';
import { createSunburst } from './layout.ts';

/**
 * Arcs shorter than this, in CSS pixels, have no texture, and those shorter than `gapPx` no gap: neither would be
 * visible.
 */
const detailPx = 12;
const gapPx = 3;
/** The rim of a closed branch. */
const rimPx = 3;

/** A sunburst: a disc and rings around it. */
export const sunburstPainter: Painter = {
  shape: arcShape,
  *paint(context) {
    drawArcs(context);
    yield;
    drawSunburstLabels(context);
  },
};

export const sunburst: Chart = { createLayout: createSunburst, painter: sunburstPainter };

function isInView(context: PaintContext, i: number): boolean {
  const { x0, x1, y0, y1 } = context.marks;
  const { width, height } = viewOf(context);
  return x1[i]! >= 0 && x0[i]! <= width && y1[i]! >= 0 && y0[i]! <= height;
}

function drawArcs(context: PaintContext): void {
  const { ctx, marks, scale, tones, palette, tree } = context;
  const { radii, from, to } = arcsOf(marks);
  for (let i = 0; i < marks.count; i++) {
    if (!isInView(context, i)) continue;
    const level = marks.level[i]!;
    const row = marks.row[i]!;
    const index = scale.indexOf[row]!;
    const isTail = marks.kind[i] === markKind.tail;
    const length = angleOf(to[i]! - from[i]!) * radii[level + 1]!;
    const isDetailed = length >= detailPx;
    ctx.beginPath();
    sector(context, i, radii[level]!, radii[level + 1]! - 1, length < gapPx ? 0.25 : 1);
    ctx.fillStyle = (isTail ? tones.frame : tones.cell)(index, level);
    ctx.fill();
    if (isDetailed && !isTail) fillPattern(context, index, tones.cellInk(index, level));
    if (isDetailed && (isTail || index === unknownIndex)) fillTexture(context, isTail ? 'dots' : 'stripes');
    // A closed branch shows that it has children.
    if (marks.kind[i] !== markKind.node || tree.childCount[row] === 0 || level === 0) continue;
    ctx.beginPath();
    sector(context, i, radii[level + 1]! - 1 - rimPx, radii[level + 1]! - 1, length < gapPx ? 0.25 : 1);
    ctx.fillStyle = scale.isSequential ? palette.neutral : scale.colours[index]!;
    ctx.fill();
  }
}

/** A part of a ring with a gap of `gap` pixels at its end. */
function sector({ ctx, marks }: PaintContext, i: number, inner: number, outer: number, gap: number): void {
  const { x, y, from, to } = arcsOf(marks);
  const [start, end] = [angleOf(from[i]!) - Math.PI / 2, angleOf(to[i]!) - Math.PI / 2];
  if (inner <= 0) {
    ctx.arc(x, y, outer, 0, 2 * Math.PI);
    return;
  }
  const isWhole = to[i]! - from[i]! >= 1;
  ctx.arc(x, y, outer, start, isWhole ? end : Math.max(start, end - gap / outer));
  ctx.arc(x, y, inner, isWhole ? end : Math.max(start, end - gap / inner), start, true);
  ctx.closePath();
}

/** Height of a line of text, in CSS pixels. */
const lineHeight = 14;
const padding = 5;
const maxLines = 2;
const minRoom = 22;
/** Arcs up to this part of a turn to each side have straight labels along the arc. */
const straightTurns = 0.2;

/**
 * Names and figures: along the arc if it is long, radially if it is broad. Every text stays inside its own arc, so no
 * two overlap. A line is straight, which suits every script; a name that is too long for that follows the arc, letter
 * by letter, if its script allows it.
 */
function drawSunburstLabels(context: PaintContext): void {
  const { ctx, marks } = context;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'center';
  drawCentre(context);
  for (let i = 1; i < marks.count; i++) {
    if (!isInView(context, i)) continue;
    drawLabel(context, i);
  }
  ctx.textAlign = 'left';
}

/** The focus, with the link to its parent below its name. */
function drawCentre(context: PaintContext): void {
  const { marks, tree, tones, scale, paint, writers } = context;
  const { x, y, radii } = arcsOf(marks);
  const row = marks.row[0]!;
  const radius = radii[1]! - padding;
  const ink = tones.cellInk(scale.indexOf[row]!, 0);
  const room = radius * 1.6;
  const { title, small } = writers;
  const lines = title.wrap(tree.name(row), room, Math.max(1, Math.min(3, Math.floor(radius / title.lineHeight - 1))));
  const parent = tree.parent[row]!;
  const amount = wholeAmount(amountText(tree, row, paint.sizeBy), small, room);
  const under = [amount, parent < 0 ? '' : `↑ ${tree.name(parent)}`].filter((text) => text !== '');
  let at = y - (lines.length * title.lineHeight + under.length * small.lineHeight) / 2;
  for (const line of lines) {
    write(context, title, line, x, at + title.lineHeight / 2, ink);
    at += title.lineHeight;
  }
  for (const text of under) {
    const half = at + small.lineHeight - y;
    const chord = 2 * Math.sqrt(Math.max(0, radius * radius - half * half));
    writeFaintly(context, small, small.fit(text, Math.min(room, chord)), x, at + small.lineHeight / 2, ink);
    at += small.lineHeight;
  }
}

function drawLabel(context: PaintContext, i: number): void {
  const { marks, tree, tones, scale, paint, palette, writers } = context;
  const { radii, from, to } = arcsOf(marks);
  const level = marks.level[i]!;
  const [inner, outer] = [radii[level]!, radii[level + 1]!];
  const radius = (inner + outer) / 2;
  const middle = visibleMiddle(context, i, radius);
  const half = Math.min(middle - from[i]!, to[i]! - middle);
  const along = roomAlong(inner, outer, half, lineHeight);
  const away = roomAway(inner, outer, half, lineHeight);
  if (Math.max(along, away) < minRoom) return;
  const row = marks.row[i]!;
  const middleRadius = (lines: number) => (startRadius(inner, half, lines * lineHeight) + outer - padding) / 2;
  if (marks.kind[i] === markKind.tail) {
    const isAlong = along >= away;
    const text = tailText(marks.hidden[i]!, writers.small, Math.max(along, away));
    straight(context, middle, isAlong ? radius : middleRadius(1), isAlong, () =>
      write(context, writers.small, text, 0, 0, palette.mutedInk),
    );
    return;
  }
  const ink = tones.cellInk(scale.indexOf[row]!, level);
  const name = tree.name(row);
  const usual = level === 1 ? writers.header : outer - inner < 30 ? writers.small : writers.cell;
  const room = (lines: number): Room => ({
    along: roomAlong(inner, outer, half, lines * lineHeight),
    away: roomAway(inner, outer, half, lines * lineHeight),
  });
  const label = labelIn(context, i, usual, room) ?? labelIn(context, i, writers.small, room);
  const bentRoom = angleOf(2 * half) * radius - 2 * padding;
  if (label?.lines.join(' ') !== name && along > 0 && canBend(name) && usual.width(name) <= bentRoom) {
    const { x, y } = arcsOf(marks);
    bent(context, { x, y, radius }, usual, name, middle, ink);
    return;
  }
  if (!label) return;
  const { lines, writer, isAlong } = label;
  const amount = amountText(tree, row, paint.sizeBy);
  const widest = Math.max(...lines.map(writer.width), writers.small.width(amount));
  const hasAmount = isAlong && amount !== '' && room(lines.length + 1).along >= widest;
  straight(context, middle, isAlong ? radius : middleRadius(lines.length), isAlong, () => {
    let at = (-(lines.length - 1 + (hasAmount ? 1 : 0)) * lineHeight) / 2;
    for (const line of lines) {
      write(context, writer, line, 0, at, ink);
      at += lineHeight;
    }
    if (hasAmount) writeFaintly(context, writers.small, amount, 0, at + 1, ink);
  });
}

/** The maximum length of lines along the arc, and of radial lines. */
type Room = { readonly along: number; readonly away: number };
type Label = { readonly lines: readonly string[]; readonly writer: Writer; readonly isAlong: boolean };

/** The longest of its names that fits whole in one direction or the other, in few lines; undefined if none does. */
function labelIn({ marks, tree }: PaintContext, i: number, writer: Writer, roomOf: (lines: number) => Room) {
  for (const name of nameChoices(tree, marks.row[i]!)) {
    for (let count = 1; count <= maxLines; count++) {
      const { along, away } = roomOf(count);
      for (const isAlong of [true, false]) {
        const long = isAlong ? along : away;
        if (writer.width(name) > long * count) continue;
        const lines = writer.wrap(name, long, count);
        if (lines.join(' ') === name) return { lines, writer, isAlong } satisfies Label;
      }
    }
  }
  return undefined;
}

/** The middle of a mark, or of its visible part in a zoomed chart. */
function visibleMiddle(context: PaintContext, i: number, radius: number): number {
  const { x, y, from, to } = arcsOf(context.marks);
  const middle = (from[i]! + to[i]!) / 2;
  const { width, height } = viewOf(context);
  const [px, py] = [x + Math.sin(angleOf(middle)) * radius, y - Math.cos(angleOf(middle)) * radius];
  if (px >= 0 && py >= 0 && px <= width && py <= height) return middle;
  const centreTurn = turnOf(width / 2 - x, height / 2 - y);
  return centreTurn > from[i]! && centreTurn < to[i]! ? centreTurn : middle;
}

/** The longest straight line of a given height inside a part of a ring, centred in it. `half` is in turns. */
function roomAlong(inner: number, outer: number, half: number, height: number): number {
  const middle = (inner + outer) / 2;
  const [low, high] = [middle - height / 2, middle + height / 2];
  if (low < inner + 1 || high > outer - 2) return 0;
  const chord = 2 * Math.sqrt(Math.max(0, (outer - 2) ** 2 - high * high));
  const between = half >= straightTurns ? chord : 2 * low * Math.tan(angleOf(half));
  return Math.min(chord, between) - 2 * padding;
}

/** The smallest radius at which a radial line may begin: where the arc is as long as the line is high. */
const startRadius = (inner: number, half: number, height: number): number =>
  Math.max(inner + padding, height / (2 * angleOf(Math.min(half, 0.25))));

/** The longest line from there to the outer edge. */
const roomAway = (inner: number, outer: number, half: number, height: number): number =>
  Math.max(0, outer - padding - startRadius(inner, half, height));

/** Draws a line around a point of a ring, along it or radially, never upside down. */
function straight(context: PaintContext, turn: number, radius: number, isAlong: boolean, draw: () => void): void {
  const isFlipped = isAlong ? turn > 0.25 && turn < 0.75 : turn > 0.5;
  const { x, y } = arcsOf(context.marks);
  turned(context.ctx, { x, y, radius }, turn, (isAlong ? 0 : -Math.PI / 2) + (isFlipped ? Math.PI : 0), draw);
}
