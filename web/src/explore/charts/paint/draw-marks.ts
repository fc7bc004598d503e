import { compactText, numberText } from '../../../ui/number-text.ts';
import type { Glow } from '../../model/search-results.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { isAround, type Marks, markKind } from '../layout/layout.ts';
import { colourScale } from './colour-scale.ts';
import { paletteOf, tonesOf } from './colours.ts';
import { drawPlates, platesOf } from './draw-warnings.ts';
import { type Glowing, marksThatGlow } from './glow.ts';
import type { Paint, PaintContext, Painter } from './painter.ts';
import { arcsOf, onArc, outerEdge } from './shapes.ts';
import { type Writer, write, writersOf } from './text.ts';
import { fillTexture } from './textures.ts';

/**
 * Paints marks over the whole canvas, with one canvas unit per CSS pixel.
 *
 * Cost: the marks; text is measured once and cached.
 */
export function drawMarks(...what: Parameters<typeof drawInSteps>): void {
  for (const _ of drawInSteps(...what));
}

/**
 * Like {@link drawMarks}, in steps: each call of `next` draws a part. The marks must not change until the last step.
 */
export function* drawInSteps(
  ctx: CanvasRenderingContext2D,
  { paint: paintMarks, shape }: Painter,
  marks: Marks,
  tree: LoadedTree,
  paint: Paint,
): Generator<void> {
  const palette = paletteOf(paint.theme, paint.isColourBlindSafe);
  ctx.setTransform(paint.dpr, 0, 0, paint.dpr, 0, 0);
  ctx.fillStyle = palette.canvas;
  ctx.fillRect(0, 0, ctx.canvas.width / paint.dpr, ctx.canvas.height / paint.dpr);
  if (marks.count === 0) return;
  const scale = colourScale(tree, paint);
  const bare = {
    ctx,
    marks,
    shape,
    tree,
    paint,
    palette,
    scale,
    tones: tonesOf(scale, paint.theme),
    writers: writersOf(ctx),
  };
  const plates = paint.warnings ? platesOf(bare, paint.warnings) : [];
  const context: PaintContext = { ...bare, plates };
  yield* paintMarks(context) ?? [];
  veilLeftOut(context);
  drawGone(context);
  if (scale.signs) drawSigns(context);
  drawPlates(context);
  drawHighlights(context);
}

/** What the user is looking at: search hits, the path under the pointer, the selection, the keyboard focus. */
function drawHighlights(context: PaintContext): void {
  const { ctx, marks, paint, palette } = context;
  if (paint.glow) drawGlow(context, paint.glow);
  if (paint.previewed >= 0) drawLit(context, paint.previewed);
  for (let i = paint.hover; i >= 0 && i < marks.count; i = marks.parent[i]!) {
    if (marks.level[i] === 0 && isAround(marks)) break;
    ring(context, i, palette.highlight, i === paint.hover ? 2 : 1.25, 0);
  }
  if (paint.selection.size > 0) {
    eachMarkOf(context, paint.selection, (i) => {
      ring(context, i, palette.canvas, 4, 0);
      ring(context, i, palette.selection, 2, 0);
    });
  }
  if (paint.focusRing < 0) return;
  ctx.setLineDash([5, 3]);
  eachMarkOf(context, new Set([paint.focusRing]), (i) => ring(context, i, palette.selection, 2, 3));
  ctx.setLineDash([]);
}

function eachMarkOf({ marks }: PaintContext, rows: ReadonlySet<number>, draw: (mark: number) => void): void {
  for (let i = 0; i < marks.count; i++) {
    if (marks.kind[i] !== markKind.tail && rows.has(marks.row[i]!)) draw(i);
  }
}

/** Hits glow however small they are, and a mark that represents several shows their number. */
function drawGlow(context: PaintContext, glow: Glow): void {
  const { marks, tree, paint } = context;
  const glowing = marksThatGlow(marks, tree, glow, paint.window);
  const draw = glowing.length > maxHaloed ? drawOneOfMany : drawHit;
  for (const { mark } of glowing) draw(context, mark);
  writeCounts(context, glowing);
}

function drawHit(context: PaintContext, i: number): void {
  const { ctx, marks, shape, palette } = context;
  const side = Math.min(marks.x1[i]! - marks.x0[i]!, marks.y1[i]! - marks.y0[i]!);
  if (side >= smallestRingPx) {
    ctx.globalAlpha = haloAlpha;
    ring(context, i, palette.highlight, Math.min(6, side / 3), 0);
    ctx.globalAlpha = 1;
    ring(context, i, palette.highlight, 2, 0);
    return;
  }
  const { x, y } = shape.middle(marks, i);
  ctx.fillStyle = palette.highlight;
  ctx.globalAlpha = haloAlpha;
  disc(ctx, x, y, 6);
  ctx.globalAlpha = 1;
  disc(ctx, x, y, 3);
}

/** The hit that is previewed, among others that glow. */
function drawLit(context: PaintContext, i: number): void {
  const { ctx, shape, palette } = context;
  drawHit(context, i);
  const { x, y } = shape.middle(context.marks, i);
  ctx.fillStyle = palette.canvas;
  disc(ctx, x, y, 8);
  ctx.fillStyle = palette.highlight;
  disc(ctx, x, y, 6);
}

/**
 * One of so many hits that halos would hide the chart. Straight edges and squares take a twentieth of the time of round
 * ones.
 */
function drawOneOfMany(context: PaintContext, i: number): void {
  const { ctx, marks, shape, palette } = context;
  const side = Math.min(marks.x1[i]! - marks.x0[i]!, marks.y1[i]! - marks.y0[i]!);
  if (side >= smallestRingPx && shape.edges) {
    ctx.strokeStyle = palette.highlight;
    ctx.lineWidth = 1.5;
    ctx.strokeRect(...shape.edges(context, i, 0.75));
  } else if (side >= 3 * smallestRingPx) ring(context, i, palette.highlight, 2, 0);
  else {
    const { x, y } = shape.middle(marks, i);
    ctx.fillStyle = palette.highlight;
    ctx.fillRect(Math.round(x) - 2, Math.round(y) - 2, 4, 4);
  }
}

/** Counts on the marks with the most hits, where they do not overlap earlier counts. */
function writeCounts(context: PaintContext, glowing: readonly Glowing[]): void {
  const { ctx, palette, paint } = context;
  const writer = context.writers.small;
  const several = glowing.filter(({ hits }) => hits > 1).sort((one, other) => other.hits - one.hits);
  const placed: { readonly x: number; readonly y: number; readonly width: number }[] = [];
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  for (const { mark, hits } of several.slice(0, maxCounts)) {
    const text = compactText(hits);
    const width = writer.width(text) + 10;
    const beside = besideName(context, mark, width);
    const x = within(beside.x, width / 2, paint.window.width);
    const y = within(beside.y, countPx / 2, paint.window.height);
    const isFree = placed.every((at) => Math.abs(at.x - x) > (at.width + width) / 2 || Math.abs(at.y - y) > countPx);
    if (!isFree) continue;
    placed.push({ x, y, width });
    ctx.fillStyle = palette.highlight;
    ctx.beginPath();
    ctx.roundRect(x - width / 2, y - countPx / 2, width, countPx, countPx / 2);
    ctx.fill();
    write(context, writer, text, x, y, palette.canvas);
  }
  // Restores the alignment that other code expects.
  ctx.textAlign = 'left';
}

/**
 * A position where a count of this width covers no name: on the rim of round marks, on the line to a node of the tree,
 * otherwise in the last corner.
 */
function besideName(
  { marks, shape }: PaintContext,
  i: number,
  width: number,
): { readonly x: number; readonly y: number } {
  const [right, bottom] = [marks.x1[i]!, marks.y1[i]!];
  const middle = shape.middle(marks, i);
  if (marks.form === 'arcs') return outerEdge(marks, i) ?? middle;
  if (marks.form === 'circles') return { x: middle.x, y: bottom - marks.y0[i]! < 2 * countPx ? middle.y : bottom };
  if (marks.form === 'links') return { x: marks.x0[i]! - width / 2 - 2, y: middle.y };
  const hasRoom = right - marks.x0[i]! >= 2 * width && bottom - marks.y0[i]! >= 2.5 * countPx;
  const edge = hasRoom ? 4 : 1;
  return {
    x: Math.max(middle.x, right - width / 2 - edge),
    y: Math.max(middle.y, bottom - countPx / 2 - edge),
  };
}

/** The nearest position at which something reaching `half` to both sides is inside the chart, if it is in it at all. */
function within(at: number, half: number, end: number): number {
  return at < 0 || at > end ? at : Math.max(half, Math.min(end - half, at));
}

const smallestRingPx = 8;
const haloAlpha = 0.35;
/** With more hits than this, there are no halos. */
const maxHaloed = 250;
const maxCounts = 60;
const countPx = 16;

function disc(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fill();
}

/** A line just inside the edge of a mark, `inset` further in. */
function ring(context: PaintContext, i: number, colour: string, width: number, inset: number): void {
  const { ctx, shape } = context;
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  shape.trace(context, i, width / 2 + inset);
  ctx.stroke();
}

/** Marks smaller than this, in CSS pixels, have no hatching and no outline: neither would be visible. */
const detailPx = 8;
const linePx = 16;

/** Draws what branches have lost over the remainder marks that stand for it: hatched, dashed, and with its count. */
function drawGone(context: PaintContext): void {
  const { ctx, marks, palette, shape } = context;
  const writer = context.writers.small;
  ctx.lineWidth = 1;
  for (let i = 0; i < marks.count; i++) {
    if (marks.isGone[i] === 0) continue;
    const [width, height] = [marks.x1[i]! - marks.x0[i]!, marks.y1[i]! - marks.y0[i]!];
    ctx.beginPath();
    shape.trace(context, i, 1);
    ctx.fillStyle = palette.canvas;
    ctx.fill();
    if (Math.min(width, height) < detailPx) continue;
    fillTexture(context, 'stripes', 0.5);
    ctx.setLineDash([3, 3]);
    ctx.strokeStyle = palette.mutedInk;
    ctx.stroke();
    ctx.setLineDash([]);
    const room = roomIn(context, i);
    const text = height >= linePx && room > 0 ? goneText(marks.hidden[i]!, writer, room) : '';
    if (text === '') continue;
    const { x, y } = shape.middle(marks, i);
    const textWidth = writer.width(text) + 8;
    ctx.fillStyle = palette.canvas;
    ctx.fillRect(x - textWidth / 2, y - linePx / 2, textWidth, linePx);
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'center';
    write(context, writer, text, x, y + 0.5, palette.mutedInk);
  }
  ctx.textAlign = 'left';
}

/** Width of a line of text through the middle of a mark, in CSS pixels. */
function roomIn({ marks }: PaintContext, i: number): number {
  const width = marks.x1[i]! - marks.x0[i]!;
  if (marks.form === 'circles') return width * 0.85 - 8;
  if (marks.form !== 'arcs') return width - 12;
  const { radii, from, to } = arcsOf(marks);
  const level = marks.level[i]!;
  const along = (to[i]! - from[i]!) * 2 * Math.PI * radii[level]!;
  return Math.min(radii[level + 1]! - radii[level]!, along) - 8;
}

/** "− 1,204 gone", or "−1.2K" if that is too long, or nothing if even that is. */
function goneText(nodes: number, writer: Writer, room: number): string {
  const texts = [`− ${numberText(nodes)} gone`, `−${compactText(nodes)}`];
  return texts.find((text) => writer.width(text) <= room) ?? '';
}

/** The opacity of the veil over nodes that a filter excludes, and of the stripes over it. */
const veil = 0.72;
const stripes = 0.4;
/** Marks smaller than this, in CSS pixels, have no stripes: they would not be visible. */
const stripedPx = 10;

/**
 * Marks that a filter excludes stay, faint and striped, whatever the colour encoding.
 */
function veilLeftOut(context: PaintContext): void {
  const { marks, tree } = context;
  if (tree.shape === tree) return;
  const isLeftOut = (i: number) => i !== -1 && tree.isLeftOut(marks.row[i]!);
  // In nested charts, the veil of a mark also covers the marks in it.
  const isNested = marks.form === 'boxes' || marks.form === 'circles';
  for (let i = 0; i < marks.count; i++) {
    if (isLeftOut(i) && !(isNested && isLeftOut(marks.parent[i]!))) veilMark(context, i);
  }
}

function veilMark(context: PaintContext, i: number): void {
  const { ctx, marks, shape, palette } = context;
  ctx.beginPath();
  shape.trace(context, i, 0);
  ctx.globalAlpha = veil;
  ctx.fillStyle = palette.canvas;
  ctx.fill();
  ctx.globalAlpha = 1;
  const side = Math.min(marks.x1[i]! - marks.x0[i]!, marks.y1[i]! - marks.y0[i]!);
  if (side >= stripedPx) fillTexture(context, 'stripes', stripes);
}

const platePx = 15;
/** Room for the figure in the head of a group. */
const figurePx = 40;
/** Smaller marks have no room for a sign beside their name. */
const smallestPx = 26;
/** More would hide the chart. */
const maxSigns = 250;

/** Repeats what colours say by a sign in the first free corner of a mark, and by the outline of those that have one. */
function drawSigns(context: PaintContext): void {
  const { ctx, marks, scale, palette, paint } = context;
  const { signs, outlinedFrom = Number.POSITIVE_INFINITY } = scale;
  if (!signs) return;
  const found = signed(context);
  const writer = context.writers.small;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.lineWidth = 1;
  for (const i of found) {
    const index = scale.indexOf[marks.row[i]!]!;
    if (index >= outlinedFrom) {
      ctx.setLineDash([4, 3]);
      ctx.strokeStyle = palette.categories[0]!;
      ctx.lineWidth = 2;
      ctx.beginPath();
      context.shape.trace(context, i, 2);
      ctx.stroke();
      ctx.setLineDash([]);
      ctx.lineWidth = 1;
    }
    const text = signs[index]!;
    const width = writer.width(text) + 8;
    const at = cornerOf(context, i, width);
    if (at.x < 0 || at.y < 0 || at.x > paint.window.width || at.y > paint.window.height) continue;
    ctx.fillStyle = palette.canvas;
    ctx.beginPath();
    ctx.roundRect(at.x - width / 2, at.y - platePx / 2, width, platePx, 4);
    ctx.fill();
    write(context, writer, text, at.x - width / 2 + 4, at.y + 0.5, palette.ink);
  }
}

/** The largest marks whose colour has a sign. An open group has the sign of what it is itself, not of an amount. */
function signed({ marks, scale }: PaintContext): number[] {
  const { signs = [], isSequential, outlinedFrom = Number.POSITIVE_INFINITY } = scale;
  const found: number[] = [];
  const sizes = new Map<number, number>();
  for (let i = 0; i < marks.count; i++) {
    if (marks.kind[i] === markKind.tail) continue;
    const index = scale.indexOf[marks.row[i]!]!;
    const isGroup = marks.kind[i] === markKind.group;
    if (!signs[index] || (isGroup && isSequential && index < outlinedFrom - 1)) continue;
    const [width, height] = [marks.x1[i]! - marks.x0[i]!, marks.y1[i]! - marks.y0[i]!];
    if (Math.min(width, height) < smallestPx) continue;
    found.push(i);
    sizes.set(i, width * height);
  }
  return found.sort((one, other) => sizes.get(other)! - sizes.get(one)! || one - other).slice(0, maxSigns);
}

/** The middle of the sign of a mark. Names begin at the top left; warnings take the last corner while they are marked. */
function cornerOf({ marks, shape, paint }: PaintContext, i: number, width: number) {
  if (marks.form === 'arcs') return onInnerEdge(marks, i) ?? shape.middle(marks, i);
  const middle = shape.middle(marks, i);
  if (marks.form === 'circles') {
    const half = ((marks.x1[i]! - marks.x0[i]!) / 2) * Math.SQRT1_2;
    return { x: middle.x - half, y: middle.y - half };
  }
  const x = Math.max(middle.x, marks.x1[i]! - width / 2 - 4);
  const top = marks.y0[i]! + platePx / 2 + 4;
  // The head of a group ends with its figure.
  if (marks.kind[i] === markKind.group) return { x: Math.max(middle.x, x - figurePx), y: top };
  if (paint.warnings) return { x, y: Math.min(middle.y, top) };
  return { x, y: Math.max(middle.y, marks.y1[i]! - platePx / 2 - 4) };
}

function onInnerEdge(marks: Marks, i: number): { readonly x: number; readonly y: number } | undefined {
  const level = marks.level[i]!;
  return level === 0 ? undefined : onArc(marks, i, arcsOf(marks).radii[level]! + platePx / 2 + 1);
}
