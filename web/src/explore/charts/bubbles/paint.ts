import { markKind } from '../layout/layout.ts';
import { bent, canBend } from '../paint/bent-text.ts';
import { mix, type Tones } from '../paint/colours.ts';
import type { Window } from '../paint/glow.ts';
import { nameChoices } from '../paint/names.ts';
import type { Chart, PaintContext, Painter } from '../paint/painter.ts';
import { circleShape } from '../paint/shapes.ts';
import { amountText, tailText, type Writer, write, writeFaintly } from '../paint/text.ts';
import { fillPattern, fillTexture, isVector } from '../paint/textures.ts';
import { unknownIndex } from '../paint/value-steps.ts';
import { createBubbles } from './layout.ts';

/** Circles with a smaller radius, in CSS pixels, have no texture and no rim, which could not be seen. */
const detailPx = 7;
const rimPx = 1.5;
/** Dots fainter than this are not drawn. */
const minStrength = 0.03;

/** Circle packing: the branches directly below the focus are nebulae, and nodes without visible contents are stars. */
export const bubblesPainter: Painter = {
  shape: circleShape,
  *paint(context) {
    yield* drawCircles(context);
    yield;
    yield* drawBubbleLabels(context);
  },
};

export const bubbles: Chart = { createLayout: createBubbles, painter: bubblesPainter };

/** Area drawn per step, in square CSS pixels: rasterizing circles costs more than describing them. */
const areaAtOnce = 2_500_000;
/** The fixed cost of a circle beside its area, in the same unit. */
const costOfCircle = 3_000;

function* drawCircles(context: PaintContext): Generator<void> {
  const { ctx, marks, scale, tones, paint, palette, tree } = context;
  const { window } = paint;
  let area = 0;
  for (let i = firstSeen(context); i < marks.count; i++) {
    const radius = (marks.x1[i]! - marks.x0[i]!) / 2;
    const [x, y] = [marks.x0[i]! + radius, marks.y0[i]! + radius];
    const level = marks.level[i]!;
    area += Math.min(radius * radius, window.width * window.height) + costOfCircle;
    if (area > areaAtOnce) {
      area = 0;
      yield;
    }
    const index = scale.indexOf[marks.row[i]!]!;
    const kind = marks.kind[i]!;
    const isDetailed = radius >= detailPx;
    // Half a pixel stays free between neighbours.
    let edge = radius > 3 ? radius - 0.5 : radius;
    ctx.beginPath();
    ctx.arc(x, y, edge, 0, 2 * Math.PI);
    if (kind === markKind.group) {
      if (level === 1) fillNebula(context, index, x, y, edge);
      else {
        ctx.fillStyle = tones.frame(index, level);
        ctx.fill();
      }
      continue;
    }
    if (kind === markKind.tail) {
      // Circles that are too small lie between the others of their parent; children that are not loaded have a circle
      // of their own.
      const strength = tailStrength(context, i);
      if (!isDetailed || strength < minStrength) continue;
      fillTexture(context, 'dots', strength, scale.isSequential ? palette.neutral : scale.colours[index]!);
      continue;
    }
    // A closed branch has a rim to show that it has children, and a keyword one if its fill is faint. It is a second
    // fill below, because a stroke costs twice as much.
    const isBranch = tree.childCount[marks.row[i]!]! > 0;
    const ofBranch = scale.isSequential ? palette.neutral : scale.colours[index]!;
    const rim = isBranch ? ofBranch : tones.cellEdge(index, level);
    if (isDetailed && rim !== '') {
      ctx.fillStyle = rim;
      ctx.fill();
      edge -= rimPx;
      ctx.beginPath();
      ctx.arc(x, y, edge, 0, 2 * Math.PI);
    }
    ctx.fillStyle = tones.cell(index, level);
    ctx.fill();
    if (isDetailed) fillPattern(context, index, tones.cellInk(index, level));
    if (isDetailed && index === unknownIndex) fillTexture(context, 'stripes');
  }
}

/** How much of its parent a tail stands for: a few small nodes are a hint, most of a branch is clearly visible. */
function tailStrength({ marks, tree }: PaintContext, i: number): number {
  const share = marks.hiddenKeywords[i]! / Math.max(1, tree.childKeywords[marks.row[i]!]!);
  return Math.min(0.4, share * 1.5);
}

/** The last branch that covers the whole window: the marks before it are its ancestors, which are hidden behind it. */
function firstSeen({ marks, paint }: PaintContext): number {
  for (let i = marks.count - 1; i > 0; i--) {
    if (marks.kind[i] !== markKind.group) continue;
    const radius = (marks.x1[i]! - marks.x0[i]!) / 2;
    if (covers(paint.window, marks.x0[i]! + radius, marks.y0[i]! + radius, radius)) return i;
  }
  return 0;
}

/** A rim this wide, in CSS pixels, has room for a line of text. */
const rimForText = 14;
/** How far a name may run around the rim, in turns. */
const longestTurns = 0.42;

/** Gap between the text in a circle and its rim. */
const textRimPx = 3;

/** Number of names written in one step. */
const namesAtOnce = 120;

/**
 * Names: around the rim of an open branch, in the middle of everything else. No text leaves its own circle or rim.
 * Drawn in steps, because text is most of the cost of drawing bubbles.
 */
function* drawBubbleLabels(context: PaintContext): Generator<void> {
  const { ctx, marks } = context;
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
    if (marks.kind[i] === markKind.group) labelRim(context, i, radius);
    else if (marks.kind[i] === markKind.node) labelInside(context, i, radius);
    else if (!fillsParent(context, i)) labelTail(context, i, radius);
  }
  ctx.textAlign = 'left';
}

function labelRim(context: PaintContext, i: number, radius: number): void {
  const { marks, palette, writers } = context;
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
function labelInside(context: PaintContext, i: number, radius: number): void {
  const { marks, tree, tones, scale, paint, writers } = context;
  const row = marks.row[i]!;
  const [x, y] = [marks.x0[i]! + radius, marks.y0[i]! + radius];
  const ink = tones.cellInk(scale.indexOf[row]!, marks.level[i]!);
  let amount = radius > 26 ? amountText(tree, row, paint.sizeBy) : '';
  let { lines, writer } = nameInside(context, i, radius, amount === '' ? 0 : 1);
  const hasBoth = hasRoomAsLast(writers.small, amount, radius - textRimPx, lines.length + 1, writer.lineHeight);
  // The name matters more than its figure.
  if (amount !== '' && (lines.length === 0 || !hasBoth)) {
    amount = '';
    ({ lines, writer } = nameInside(context, i, radius, 0));
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
function nameInside(context: PaintContext, i: number, radius: number, more: number) {
  const { writers } = context;
  const inside = (writer: Writer) => ({
    writer,
    ...linesInCircle(writer, nameChoices(context.tree, context.marks.row[i]!), radius - textRimPx, more),
  });
  const usual = inside(radius > 70 ? writers.big : radius > 30 ? writers.cell : writers.small);
  return usual.isWhole ? usual : inside(writers.small);
}

function labelTail(context: PaintContext, i: number, radius: number): void {
  const { marks, palette, writers } = context;
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

/** Circles with a smaller radius, in CSS pixels, have no room for a word. */
const readablePx = 17;
const maxLines = 7;

type CircleLines = { readonly lines: readonly string[]; readonly isWhole: boolean };

/**
 * The fewest lines that fit one of the names whole into a circle. The first name that fits wins; if none fits, there
 * are no lines, because part of a name would be misleading.
 *
 * @param more lines to leave room for below the name
 */
export function linesInCircle(writer: Writer, names: readonly string[], radius: number, more: number): CircleLines {
  for (const name of names) {
    const lines = linesOf(writer, name, radius, more) ?? linesOf(writer, withBreaks(name), radius, more);
    if (lines) return { lines, isWhole: true };
  }
  return { lines: [], isWhole: false };
}

function linesOf(writer: Writer, name: string, radius: number, more: number): readonly string[] | undefined {
  const fewest = Math.max(1, Math.ceil(writer.width(name) / (2 * radius)));
  for (let count = fewest; count <= maxLines; count++) {
    const room = roomAt(radius, ((count + more) * writer.lineHeight) / 2);
    if (room < readablePx) break;
    const lines = writer.wrap(name, room, count);
    if (lines.join(' ') === name) return lines;
  }
  return undefined;
}

/** Allows a line break after a slash or a hyphen as well. */
const withBreaks = (name: string) => name.replaceAll(/([/-])(?=[^\s/-])/g, '$1 ');

/** How wide text may be at this vertical distance from the centre of a circle. */
function roomAt(radius: number, away: number): number {
  return 2 * Math.sqrt(Math.max(0, radius * radius - away * away));
}

/**
 * Whether a figure fits as the last of so many lines. A truncated figure would be a different figure.
 *
 * @param linePx the height of a line
 */
export function hasRoomAsLast(writer: Writer, figure: string, radius: number, lines: number, linePx: number): boolean {
  return writer.width(figure) <= roomAt(radius, (lines * linePx) / 2);
}

/** The minimum width of a band of light, in CSS pixels, and the number of bands: neighbours look alike. */
const bandPx = 10;
const [minBands, maxBands] = [3, 32];

const bandColours = new WeakMap<Tones, Map<number, readonly string[]>>();

/**
 * Fills a circle around `(x, y)` with a soft light that fades towards a faint edge.
 *
 * Drawn as bands of one colour each, the outermost first: a gradient is computed per pixel and costs several times as
 * much.
 */
function fillNebula(
  { ctx, paint, ...context }: PaintContext,
  index: number,
  x: number,
  y: number,
  radius: number,
): void {
  if (isVector(ctx)) {
    const light = ctx.createRadialGradient(x, y, 0, x, y, radius);
    for (const [at, colour] of stopsOf(context, index)) light.addColorStop(at, colour);
    ctx.fillStyle = light;
    ctx.fill();
    return;
  }
  const count = Math.round(Math.min(maxBands, Math.max(minBands, radius / bandPx)));
  const colours = bandsOf(context, index, count);
  for (let band = 0; band < count; band++) {
    const inner = radius * (1 - (band + 1) / count);
    if (covers(paint.window, x, y, inner)) continue;
    if (band > 0) {
      ctx.beginPath();
      ctx.arc(x, y, radius * (1 - band / count), 0, 2 * Math.PI);
    }
    ctx.fillStyle = colours[band]!;
    ctx.fill();
  }
}

/** Whether a circle covers the whole window. */
export function covers({ width, height }: Window, x: number, y: number, radius: number): boolean {
  return radius > 1 && Math.hypot(Math.max(x, width - x), Math.max(y, height - y)) < radius - 1;
}

type Lit = Pick<PaintContext, 'scale' | 'tones' | 'palette'>;
type Stops = readonly (readonly [at: number, colour: string])[];

/** Colours from the centre to the edge. */
function stopsOf({ scale, tones, palette }: Lit, index: number): Stops {
  const edge = tones.frame(index, 1);
  return [
    [0, scale.isSequential ? edge : mix(palette.canvas, scale.colours[index]!, 0.26)],
    [0.75, edge],
    [1, mix(palette.canvas, edge, 0.75)],
  ];
}

/** The colours at the middle of each of `count` bands, the outermost first; computed once. */
function bandsOf(context: Lit, index: number, count: number): readonly string[] {
  const ofTones = bandColours.get(context.tones) ?? new Map<number, readonly string[]>();
  bandColours.set(context.tones, ofTones);
  const key = index * (maxBands + 1) + count;
  const cached = ofTones.get(key);
  if (cached) return cached;
  const stops = stopsOf(context, index);
  const colours = Array.from({ length: count }, (_, band) => {
    const at = 1 - (band + 0.5) / count;
    const next = stops.findIndex(([end]) => end >= at);
    const [[from, before], [to, after]] = [stops[next - 1]!, stops[next]!];
    return mix(before, after, (at - from) / (to - from));
  });
  ofTones.set(key, colours);
  return colours;
}
