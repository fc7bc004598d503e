import { compactText } from '../../../ui/number-text.ts';
import type { Palette } from '../../charts/paint/colours.ts';
import type { LegendEntry } from '../../charts/paint/legend.ts';
import type { Writer } from '../../charts/paint/text.ts';
import { writersOf } from '../../charts/paint/text.ts';
import { textureOf } from '../../charts/paint/textures.ts';
import { unknownIndex } from '../../charts/paint/value-steps.ts';
import type { PatternMaker } from '../../model/encodings.ts';

/** The texts around an exported chart, so that it can be understood on its own. */
export type PosterWords = {
  readonly title: string;
  /** Below the title: the place, the encodings, the filter. Empty ones have no line. */
  readonly lines: readonly string[];
  readonly legendTitle: string;
  readonly legend: readonly LegendEntry[];
  /** In the footer, left and right. */
  readonly counts: string;
  readonly date: string;
};

type Size = { readonly width: number; readonly height: number };
/** A swatch of the legend with its label: the top left corner of its line, in CSS pixels. */
type Entry = { readonly entry: LegendEntry; readonly text: string; readonly x: number; readonly y: number };

/** The layout of the poster, in CSS pixels. */
export type PosterPlan = Size & {
  readonly picture: { readonly x: number; readonly y: number };
  readonly heads: readonly { readonly text: string; readonly y: number }[];
  readonly legendY: number;
  readonly entries: readonly Entry[];
  /** The number of entries without room. */
  readonly more: Omit<Entry, 'entry'> | undefined;
  readonly footY: number;
};

const margin = 24;
const lineHeight = 20;
const swatch = 12;
const gap = 18;
const mostLegendLines = 4;

/** @param ctx measures the texts */
export function planPoster(ctx: CanvasRenderingContext2D, words: PosterWords, picture: Size): PosterPlan {
  const { poster, header, cell } = writersOf(ctx);
  const width = Math.max(picture.width, 320) + 2 * margin;
  const room = width - 2 * margin;
  let y = margin + poster.lineHeight / 2;
  const heads = poster.wrap(words.title, room, 2).map((text) => {
    const head = { text, y };
    y += poster.lineHeight;
    return head;
  });
  y += (lineHeight - poster.lineHeight) / 2;
  for (const line of words.lines.filter((text) => text !== '')) {
    for (const text of cell.wrap(line, room, 3)) {
      heads.push({ text, y });
      y += lineHeight;
    }
  }
  const place = { x: (width - picture.width) / 2, y: y + 4 };
  const legendY = place.y + picture.height + 12 + lineHeight / 2;
  const first = { x: margin + header.width(words.legendTitle) + gap, y: legendY };
  const { entries, more } = flow(cell, words.legend, first, width - margin);
  const footY = (more ?? entries.at(-1) ?? first).y + lineHeight + 8;
  return {
    width,
    height: Math.ceil(footY + lineHeight / 2 + margin - 8),
    picture: place,
    heads,
    legendY,
    entries,
    more,
    footY,
  };
}

/** Places entries one after the other, in as many lines as allowed, and counts the rest. */
function flow(writer: Writer, legend: readonly LegendEntry[], first: { x: number; y: number }, right: number) {
  const entries: Entry[] = [];
  let { x, y } = first;
  const lastLine = first.y + (mostLegendLines - 1) * lineHeight;
  for (const [index, entry] of legend.entries()) {
    const count = entry.count === undefined ? '' : `  ${compactText(entry.count)}`;
    const text = writer.fit(`${entry.label}${count}`, right - margin - swatch - 6);
    const left = `+ ${legend.length - index} more`;
    const isLast = index === legend.length - 1;
    const width = swatch + 6 + writer.width(text);
    const isFull = (atX: number) => atX + width + (isLast ? 0 : gap + writer.width(left)) > right;
    if (x > margin && (y < lastLine ? x + width > right : isFull(x))) {
      if (y >= lastLine) return { entries, more: { text: left, x, y } };
      x = margin;
      y += lineHeight;
    }
    entries.push({ entry, text, x, y });
    x += width + gap;
  }
  return { entries, more: undefined };
}

export type PosterLook = {
  readonly palette: Palette;
  readonly patterns: PatternMaker | undefined;
  readonly isSequential: boolean;
  /** Device pixels per CSS pixel. */
  readonly dpr: number;
};

/** Draws everything except the chart. One unit is a CSS pixel. */
export function drawPoster(
  ctx: CanvasRenderingContext2D,
  plan: PosterPlan,
  words: PosterWords,
  { palette, patterns, isSequential, dpr }: PosterLook,
): void {
  const { poster, header, cell, small } = writersOf(ctx);
  const write = (writer: Writer, text: string, x: number, y: number, ink: string) => {
    ctx.font = writer.font;
    ctx.fillStyle = ink;
    ctx.fillText(text, x, y);
  };
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  ctx.fillStyle = palette.canvas;
  ctx.fillRect(0, 0, plan.width, plan.height);
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  const titles = poster.wrap(words.title, plan.width - 2 * margin, 2).length;
  for (const [index, { text, y }] of plan.heads.entries()) {
    write(index < titles ? poster : cell, text, margin, y, index < titles ? palette.ink : palette.mutedInk);
  }
  write(header, words.legendTitle, margin, plan.legendY, palette.ink);
  for (const { entry, text, x, y } of plan.entries) {
    const box = [x, y - swatch / 2, swatch, swatch] as const;
    const pattern = patterns?.(ctx, entry.index, isSequential, palette.ink, dpr);
    const fills =
      entry.index === unknownIndex ? [textureOf(ctx, 'stripes', palette.neutral, dpr)] : pattern ? [pattern] : [];
    for (const fill of [entry.colour, ...fills]) {
      ctx.fillStyle = fill;
      ctx.fillRect(...box);
    }
    ctx.strokeStyle = palette.line;
    ctx.lineWidth = 1;
    ctx.strokeRect(...box);
    write(cell, text, x + swatch + 6, y, palette.ink);
  }
  if (plan.more) write(cell, plan.more.text, plan.more.x, plan.more.y, palette.mutedInk);
  write(small, words.counts, margin, plan.footY, palette.mutedInk);
  ctx.textAlign = 'right';
  write(small, words.date, plan.width - margin, plan.footY, palette.mutedInk);
  ctx.textAlign = 'left';
}
