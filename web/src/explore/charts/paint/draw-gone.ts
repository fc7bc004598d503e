import { compactText, numberText } from '../../../ui/number-text.ts';
import type { PaintContext } from './painter.ts';
import { arcsOf } from './shapes.ts';
import { type Writer, write, writersOf } from './text.ts';
import { fillTexture } from './textures.ts';

/** Marks smaller than this, in CSS pixels, have no hatching and no outline: neither would be visible. */
const detailPx = 8;
const linePx = 16;

/** Draws what branches have lost over the remainder marks that stand for it: hatched, dashed, and with its count. */
export function drawGone(context: PaintContext): void {
  const { ctx, marks, palette, shape } = context;
  const writer = writersOf(ctx).small;
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
export function veilLeftOut(context: PaintContext): void {
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
