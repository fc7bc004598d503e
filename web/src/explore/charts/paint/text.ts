import { compactText, lazily, numberText } from '../../../ui/number-text.ts';
import { shortFigure } from '../../format/figure-text.ts';
import type { SizeBy } from '../../model/encodings.ts';
import { figuresOf } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Palette } from './colours.ts';

/**
 * Text that fits its place: measured once, truncated with an ellipsis, wrapped at blanks. A writer belongs to one font
 * of one context.
 */
const remembered = 20_000;

export type Writer = {
  readonly font: string;
  readonly lineHeight: number;
  width(text: string): number;
  /** The text, or its beginning with "…", at most `width` wide; empty if not even that fits. */
  fit(text: string, width: number): string;
  /** The text in at most `lines` lines; the last one may end in "…". */
  wrap(text: string, width: number, lines: number): readonly string[];
};

/**
 * @param measure width of a text in this font; called once for each text and word
 *
 * While zooming, the room of every label changes in every frame. Truncating and wrapping therefore add up known widths
 * of characters and words, which is exact to a pixel or two (kerning).
 */
export function createWriter(measure: (text: string) => number, font: string, lineHeight: number): Writer {
  const widths = new Map<string, number>();
  const width = (text: string): number => {
    const cached = widths.get(text);
    if (cached !== undefined) return cached;
    if (widths.size > remembered) widths.clear();
    const measured = measure(text);
    widths.set(text, measured);
    return measured;
  };
  const letterWidth = widthsOfLetters(width);
  const fit = (text: string, room: number) =>
    width(text) <= room ? text : (cutPlain(text, room, letterWidth, width) ?? cut(text, room, width));
  return { font, lineHeight, width, fit, wrap: (text, room, lines) => breakLines(text, room, lines, width, fit) };
}

const ellipsis = '…';

/** Widths of the ASCII characters, each measured on first use. */
function widthsOfLetters(width: (text: string) => number): (code: number) => number {
  const cache = new Float64Array(128).fill(-1);
  return (code) => {
    if (cache[code]! < 0) cache[code] = width(String.fromCharCode(code));
    return cache[code]!;
  };
}

const [firstPlain, lastPlain] = [0x20, 0x7e];

/** The result of {@link cut} for ASCII text, without splitting it into characters; undefined for other text. */
function cutPlain(
  text: string,
  room: number,
  letterWidth: (code: number) => number,
  width: (text: string) => number,
): string | undefined {
  let end = text.length;
  let sum = width(ellipsis);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < firstPlain || code > lastPlain) return undefined;
    if (end < text.length) continue;
    sum += letterWidth(code);
    if (sum > room) end = i;
  }
  return end === 0 ? '' : `${text.slice(0, end).trimEnd()}${ellipsis}`;
}

/** The longest beginning that fits with its ellipsis; never splits a character of any script. */
function cut(text: string, room: number, width: (text: string) => number): string {
  const characters = charactersOf(text);
  const ellipsisWidth = width(ellipsis);
  let count = 0;
  let sum = ellipsisWidth;
  while (count < characters.length && sum + width(characters[count]!) <= room) sum += width(characters[count++]!);
  // Joined characters may be wider than the sum of their parts (Arabic, Devanagari): then fewer fit.
  for (; count > 0; count--) {
    const shown = `${characters.slice(0, count).join('').trimEnd()}${ellipsis}`;
    if (width(shown) <= room) return shown;
  }
  return '';
}

/**
 * The writing direction of a text, from its first letter with a strong direction. Ellipsis and punctuation follow it.
 */
export const directionOf = (text: string): 'ltr' | 'rtl' => (!isPlain(text) && rightToLeft.test(text) ? 'rtl' : 'ltr');

/**
 * Source: Unicode Standard Annex 9, rules P2 and P3; letters outside the right-to-left scripts are taken as class L.
 */
const rightToLeft =
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

const isPlain = (text: string) => /^[ -~]*$/.test(text);
const segmenter = lazily(() => new Intl.Segmenter());

const splitTexts = new Map<string, readonly string[]>();
const maxSplit = 2_000;

function charactersOf(text: string): readonly string[] {
  const cached = splitTexts.get(text);
  if (cached) return cached;
  const characters = Array.from(segmenter().segment(text), ({ segment }) => segment);
  if (splitTexts.size >= maxSplit) splitTexts.clear();
  splitTexts.set(text, characters);
  return characters;
}

function breakLines(
  text: string,
  room: number,
  lines: number,
  width: (text: string) => number,
  fit: (text: string, room: number) => string,
): readonly string[] {
  if (lines === 1 || width(text) <= room) return nonEmpty([fit(text, room)]);
  const words = text.split(' ');
  const blank = width(' ');
  const done: string[] = [];
  let line = words[0]!;
  let lineWidth = width(line);
  for (let i = 1; i < words.length; i++) {
    const longer = lineWidth + blank + width(words[i]!);
    if (longer <= room) {
      line = `${line} ${words[i]}`;
      lineWidth = longer;
      continue;
    }
    if (done.length + 1 >= lines) {
      line = [line, ...words.slice(i)].join(' ');
      break;
    }
    done.push(fit(line, room));
    line = words[i]!;
    lineWidth = width(line);
  }
  done.push(fit(line, room));
  return nonEmpty(done);
}

const nonEmpty = (lines: readonly string[]) => lines.filter((line) => line !== '');

/** The fonts of the canvas, never smaller than 11 px. */
const family = "'Geist Variable', Geist, system-ui, 'Noto Sans', sans-serif";
const fonts = {
  poster: [600, 20, 28],
  title: [600, 13, 17],
  header: [600, 12, 16],
  big: [500, 15, 20],
  cell: [500, 12, 16],
  small: [500, 11, 14],
} as const;

type FontName = keyof typeof fonts;
export type Writers = Readonly<Record<FontName, Writer>>;

let writers = new WeakMap<CanvasRenderingContext2D, Writers>();

/**
 * Calls back when fonts have loaded: texts drawn before may be in another font, and the widths measured then are
 * forgotten. A font has a file for each group of scripts, which loads when its first letter is shown.
 *
 * @returns unsubscribes
 */
export function watchFonts(onLoad: () => void): () => void {
  const forget = () => {
    writers = new WeakMap();
    onLoad();
  };
  document.fonts.addEventListener('loadingdone', forget);
  return () => document.fonts.removeEventListener('loadingdone', forget);
}

/** Contexts that use the widths of another one. */
const sources = new WeakMap<CanvasRenderingContext2D, CanvasRenderingContext2D>();

/** The writers of a context, which cache widths. */
export function writersOf(context: CanvasRenderingContext2D): Writers {
  const ctx = sources.get(context) ?? context;
  const cached = writers.get(ctx);
  if (cached) return cached;
  const write = (name: FontName): Writer => {
    const [weight, size, lineHeight] = fonts[name];
    const font = `${weight} ${size}px ${family}`;
    const measure = (text: string) => {
      ctx.font = font;
      return ctx.measureText(text).width;
    };
    return createWriter(measure, font, lineHeight);
  };
  const created = {
    poster: write('poster'),
    title: write('title'),
    header: write('header'),
    big: write('big'),
    cell: write('cell'),
    small: write('small'),
  };
  writers.set(ctx, created);
  return created;
}

/** Lets a context use the cached widths of another one. */
export function shareWriters(from: CanvasRenderingContext2D, to: CanvasRenderingContext2D): void {
  sources.set(to, from);
}

type Pen = { readonly ctx: CanvasRenderingContext2D };

/** Draws a text at the alignment of the canvas. */
export function write({ ctx }: Pen, writer: Writer, text: string, x: number, y: number, ink: string): void {
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
  context: Pen & { readonly palette: Palette },
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
export function writeFaintly(context: Pen, writer: Writer, text: string, x: number, y: number, ink: string): void {
  context.ctx.globalAlpha = 0.85;
  write(context, writer, text, x, y, ink);
  context.ctx.globalAlpha = 1;
}

/** "+ 1,204 more", or "+1.2K" if that is too long, or nothing if even that is. */
export function tailText(hidden: number, writer: Writer, room: number): string {
  const texts = [`+ ${numberText(hidden)} more`, `+${compactText(hidden)}`];
  return texts.find((text) => writer.width(text) <= room) ?? '';
}

/** A figure if it fits, otherwise none: a truncated figure would be a different figure. */
export const wholeAmount = (amount: string, writer: Writer, room: number): string =>
  writer.width(amount) <= room ? amount : '';

/**
 * The figure in a mark: the one that its size encodes, so that text and size agree. '' if it is unknown, and for a
 * single keyword. The keywords of a branch are its leaves if it has none; where a filter excludes some, the text also
 * shows the total.
 */
export function amountText(tree: LoadedTree, row: number, sizeBy: SizeBy): string {
  const figures = sizeBy === 'equal' ? undefined : figuresOf(tree, sizeBy);
  if (sizeBy !== 'equal' && figures && figures.rollUp !== 'count') {
    const value = figures.value[row]!;
    return Number.isNaN(value) ? '' : shortFigure(sizeBy, value);
  }
  if (tree.childCount[row] === 0 || tree.isLeftOut(row)) return '';
  const [kept, of] = [tree.keywords[row]!, tree.ofKeywords[row]!];
  if (kept !== of) return `${compactText(kept)} of ${compactText(of)}`;
  return compactText(kept || tree.leaves[row]!);
}
