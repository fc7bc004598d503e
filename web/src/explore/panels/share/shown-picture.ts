import { noFilter } from '@kc/pack/filter/filter';
import { readFilter } from '@kc/pack/filter/filter-text';
import { figureName } from '@kc/pack/filter-words/figure-name';
import { partsOf } from '@kc/pack/filter-words/filter-parts';
import type { Theme } from '../../../ui/environment.ts';
import type { Stage } from '../../charts/canvas/stage.ts';
import { colourScale } from '../../charts/paint/colour-scale.ts';
import { paletteOf } from '../../charts/paint/colours.ts';
import { drawMarks } from '../../charts/paint/draw-marks.ts';
import { legendFor } from '../../charts/paint/legend.ts';
import type { Paint } from '../../charts/paint/painter.ts';
import { counted, exact } from '../../format/figure-text.ts';
import { choiceName } from '../../model/choices.ts';
import type { ColourBy } from '../../model/encodings.ts';
import type { Explorer } from '../../model/explorer.ts';
import { placeText } from '../../model/place-names.ts';
import { pathTo } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/columns.ts';
import { fieldName, isFieldKey } from '../../tree-data/figures.ts';
import { markLookOf } from '../legend/mark-look.ts';
import { drawPlotPicture, plotPictures } from '../opportunity/plot-picture.ts';
import { viewNames } from '../view-names.ts';
import { drawPoster, type PosterWords, planPoster } from './poster.ts';
import type { Measure } from './svg-parts.ts';
import { SvgPen } from './svg-pen.ts';

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
  const { colour, steps, isColourBlindSafe, patterns, size, found } = explorer.store.getState();
  return {
    theme,
    colourBy: colour,
    steps,
    isColourBlindSafe,
    patterns,
    sizeBy: size,
    hover: none,
    selection: new Set(),
    glow: found?.glow,
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
