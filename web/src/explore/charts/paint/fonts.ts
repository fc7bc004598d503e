import { createWriter, type Writer } from './text.ts';

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

export type FontName = keyof typeof fonts;
export type Writers = Readonly<Record<FontName, Writer>>;

const writers = new WeakMap<CanvasRenderingContext2D, Writers>();

/** The writers of a context. They cache widths, so call {@link forgetWidths} when a font has loaded. */
export function writersOf(ctx: CanvasRenderingContext2D): Writers {
  const known = writers.get(ctx);
  if (known) return known;
  const write = (name: FontName): Writer => {
    const [weight, size, lineHeight] = fonts[name];
    const font = `${weight} ${size}px ${family}`;
    const measure = (text: string) => {
      ctx.font = font;
      return ctx.measureText(text).width;
    };
    return createWriter(measure, font, lineHeight);
  };
  const made = {
    poster: write('poster'),
    title: write('title'),
    header: write('header'),
    big: write('big'),
    cell: write('cell'),
    small: write('small'),
  };
  writers.set(ctx, made);
  return made;
}

/** Lets a context use the cached widths of another one. */
export function shareWriters(from: CanvasRenderingContext2D, to: CanvasRenderingContext2D): void {
  writers.set(to, writersOf(from));
}

export function forgetWidths(ctx: CanvasRenderingContext2D): void {
  writers.delete(ctx);
}
