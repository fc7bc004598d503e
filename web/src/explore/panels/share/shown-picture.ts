import { noFilter } from '@kc/pack/filter/filter';
import { readFilter } from '@kc/pack/filter/filter-text';
import { figureName } from '@kc/pack/filter-words/figure-name';
import { partsOf } from '@kc/pack/filter-words/filter-parts';
import type { Theme } from '../../../ui/environment.ts';
import { compactText } from '../../../ui/number-text.ts';
import type { Stage } from '../../charts/canvas/stage.ts';
import { drawPlotPicture, plotPictures } from '../../charts/opportunity/draw-plot.ts';
import { colourScale } from '../../charts/paint/colour-scale.ts';
import { type Palette, paletteOf } from '../../charts/paint/colours.ts';
import { drawMarks } from '../../charts/paint/draw-marks.ts';
import { type LegendEntry, legendFor } from '../../charts/paint/legend.ts';
import type { Paint } from '../../charts/paint/painter.ts';
import { type Writer, writersOf } from '../../charts/paint/text.ts';
import { textureOf } from '../../charts/paint/textures.ts';
import { unknownIndex } from '../../charts/paint/value-steps.ts';
import { counted, exact } from '../../format/figure-text.ts';
import { choiceName } from '../../model/choices.ts';
import type { ColourBy, PatternMaker } from '../../model/encodings.ts';
import type { Explorer } from '../../model/explorer.ts';
import { placeText } from '../../model/place-names.ts';
import { pathTo } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/columns.ts';
import { fieldName, isFieldKey } from '../../tree-data/figures.ts';
import { markLookOf } from '../legend/mark-look.ts';
import { viewNames } from '../view-names.ts';
import { type Measure, SvgPen } from './svg-pen.ts';

/** Exports the chart on the screen. */
export type Shown = {
  readonly explorer: Explorer;
  /** Undefined for the points of a level, which have no stage. */
  readonly stage: Stage | undefined;
  readonly theme: Theme;
};

/** Whether there is a picture to export: the table is none. */
export const hasPicture = (explorer: Explorer, stage: Stage | undefined): boolean =>
  stage !== undefined || plotPictures.has(explorer);

/** The requested image has more pixels than the browser supports. */
export class PictureTooLarge extends Error {
  readonly width: number;
  readonly height: number;
  constructor({ width, height }: { readonly width: number; readonly height: number }) {
    super(`${width} × ${height} pixels`);
    this.name = 'PictureTooLarge';
    this.width = width;
    this.height = height;
  }
}

/**
 * A poster of the chart, drawn from its marks with `scale` device pixels per CSS pixel, so it is equally sharp at each
 * scale.
 *
 * @throws PictureTooLarge
 */
export async function pngOf(shown: Shown, scale: number): Promise<Blob> {
  const { view, draw } = pictureOf(shown);
  const words = wordsOf(shown);
  const plan = planPoster(context2d(1, 1), words, view);
  const poster = context2d(plan.width * scale, plan.height * scale);
  drawPoster(poster, plan, words, lookOf(shown, scale));
  const picture = context2d(view.width * scale, view.height * scale);
  draw(picture, scale);
  poster.setTransform(1, 0, 0, 1, 0, 0);
  poster.drawImage(picture.canvas, Math.round(plan.picture.x * scale), Math.round(plan.picture.y * scale));
  // Freed at once: four times the scale takes sixteen times the memory.
  picture.canvas.width = 0;
  const blob = await new Promise<Blob | null>((done) => poster.canvas.toBlob(done, 'image/png'));
  if (!blob) throw new PictureTooLarge(poster.canvas);
  return blob;
}

/** The poster for paper: as sharp as a printer on a page as wide as a screen, in the light theme. */
export const printedPictureOf = (explorer: Explorer, stage: Stage | undefined): Promise<Blob> =>
  pngOf({ explorer, stage, theme: 'light' }, 3);

/** The same poster as SVG, with real texts. */
export function svgOf(shown: Shown): string {
  const { view, draw } = pictureOf(shown);
  const words = wordsOf(shown);
  const measure = measureWith(context2d(1, 1));
  const measuring = new SvgPen(view, measure, '');
  const plan = planPoster(measuring.context, words, view);
  const poster = new SvgPen(plan, measure, 'k');
  drawPoster(poster.context, plan, words, lookOf(shown, 1));
  const picture = new SvgPen(view, measure, 'p');
  draw(picture.context, 1);
  poster.inset(plan.picture.x, plan.picture.y, picture);
  return poster.document(words.title);
}

type Picture = {
  readonly view: { readonly width: number; readonly height: number };
  readonly draw: (ctx: CanvasRenderingContext2D, dpr: number) => void;
};

/** What is shown, and how to draw it. @throws Error before the first chart is drawn */
function pictureOf(shown: Shown): Picture {
  const { explorer, stage, theme } = shown;
  const plot = plotPictures.get(explorer);
  if (!stage && plot) {
    const palette = paletteOf(theme, explorer.store.getState().isColourBlindSafe);
    return {
      view: plot.drawing.size,
      draw(ctx, dpr) {
        ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
        drawPlotPicture(ctx, plot, palette);
      },
    };
  }
  const sight = stage?.sight();
  if (!stage || !sight) throw new Error('The chart is not drawn yet');
  const { marks, view, isWhole } = sight;
  return {
    view,
    draw: (ctx, dpr) =>
      drawMarks(ctx, stage.chart.painter, marks, explorer.tree, paintOf(shown, { ...view, isWhole }, dpr)),
  };
}

/** The points of a level have the colours of their pillars. */
const colourOf = (explorer: Explorer): ColourBy =>
  plotPictures.has(explorer) ? 'pillar' : explorer.store.getState().colour;

/** As on the screen, without the highlights of pointer and keyboard. */
function paintOf(shown: Shown, window: Paint['window'], dpr: number): Paint {
  const { explorer, theme } = shown;
  const { colour, steps, isColourBlindSafe, patterns, size, searchResults } = explorer.store.getState();
  return {
    theme,
    colourBy: colour,
    steps,
    isColourBlindSafe,
    patterns,
    sizeBy: size,
    hover: none,
    selection: new Set(),
    glow: searchResults?.glow,
    previewed: none,
    window,
    focusRing: none,
    dpr,
  };
}

function lookOf({ explorer, theme }: Shown, dpr: number) {
  const { steps, isColourBlindSafe, patterns } = explorer.store.getState();
  const colourBy = colourOf(explorer);
  const { isSequential } = colourScale(explorer.tree, { colourBy, steps, isColourBlindSafe, theme });
  return { palette: paletteOf(theme, isColourBlindSafe), patterns, isSequential, dpr };
}

function wordsOf({ explorer, theme }: Shown): PosterWords {
  const { tree, store } = explorer;
  const state = store.getState();
  const colourBy = colourOf(explorer);
  const { focus, view, steps, isColourBlindSafe, size, x, y, fields } = state;
  const field = isFieldKey(colourBy) ? fields?.find(({ name }) => name === fieldName(colourBy)) : undefined;
  // The figures of the file are those of the whole, whatever the filter keeps.
  const counts = field?.kind === 'category' && state.filter === '' ? field.counts : undefined;
  const legend = legendFor(
    tree,
    { colourBy, steps, isColourBlindSafe, theme },
    { counts, sizeBy: size, marks: markLookOf(state) },
  );
  const way = pathTo(tree, focus).slice(0, -1);
  const drawnBy = [
    viewNames[view],
    `colour: ${choiceName(colourBy)}`,
    plotPictures.get(explorer)?.about ?? false,
    view === 'opportunity' && `${figureName(x)} to the right, ${figureName(y)} upwards`,
    view !== 'tree' && `size: ${choiceName(size)}`,
  ];
  return {
    title: tree.name(focus),
    lines: [
      way.map((row) => tree.name(row)).join(' › '),
      drawnBy.filter((text) => text !== false).join(' · '),
      explorer.guest?.caption ?? '',
    ],
    legendTitle: choiceName(colourBy),
    legend,
    counts: countsOf(explorer),
    date: `${explorer.isDraft ? 'Draft · ' : ''}${new Intl.DateTimeFormat('en', { dateStyle: 'long' }).format(new Date())} · Keyword Clustering`,
  };
}

/** Without it a filtered chart would pass for the whole. */
function countsOf({ tree, store, source }: Explorer): string {
  const { focus, filter } = store.getState();
  const all = tree.ofKeywords[focus]!;
  if (filter === '') return counted(all, 'keyword');
  const parts = partsOf(readFilter(filter) ?? noFilter, (address) => placeText(source, address)).map(
    ({ text }) => text,
  );
  return `${exact(tree.keywords[focus]!)} of ${counted(all, 'keyword')} · ${parts.join(' · ')}`;
}

/** @throws PictureTooLarge if the canvas of the browser keeps nothing */
function context2d(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width);
  canvas.height = Math.round(height);
  const ctx = canvas.getContext('2d');
  // Beyond its limits a browser silently creates a canvas that loses everything drawn on it.
  if (!ctx) throw new PictureTooLarge(canvas);
  ctx.fillRect(0, 0, 1, 1);
  if (ctx.getImageData(0, 0, 1, 1).data[3] !== 255) throw new PictureTooLarge(canvas);
  return ctx;
}

function measureWith(ctx: CanvasRenderingContext2D): Measure {
  return (text, font) => {
    ctx.font = font;
    ctx.textBaseline = 'middle';
    const { width, actualBoundingBoxAscent: overMiddle } = ctx.measureText(text);
    ctx.textBaseline = 'alphabetic';
    return { width, toBaseline: ctx.measureText(text).actualBoundingBoxAscent - overMiddle };
  };
}

/** The texts around an exported chart, so that it can be understood on its own. */
type PosterWords = {
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
type PosterPlan = Size & {
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
const maxLegendLines = 4;

/** @param ctx measures the texts */
function planPoster(ctx: CanvasRenderingContext2D, words: PosterWords, picture: Size): PosterPlan {
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
  const lastLine = first.y + (maxLegendLines - 1) * lineHeight;
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

type PosterLook = {
  readonly palette: Palette;
  readonly patterns: PatternMaker | undefined;
  readonly isSequential: boolean;
  /** Device pixels per CSS pixel. */
  readonly dpr: number;
};

/** Draws everything except the chart. One unit is a CSS pixel. */
function drawPoster(
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
