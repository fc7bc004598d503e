import type { Palette } from '../../charts/paint/colours.ts';
import { writersOf } from '../../charts/paint/text.ts';
import type { Explorer } from '../../model/explorer.ts';
import { drawPlot, type PlotDrawing, writeOver } from './draw-plot.ts';

/** A plot with what the screen shows over it as buttons. */
export type PlotPicture = {
  readonly drawing: PlotDrawing;
  readonly thresholds: { readonly x: Threshold; readonly y: Threshold };
  /** In the order of `quadrantPlaces`. */
  readonly quadrants: readonly { readonly name: string; readonly totals: string }[];
  /** Below the title of an exported picture. */
  readonly about: string;
};

type Threshold = { readonly value: number; readonly text: string; readonly isMedian: boolean };

/** What is shown now, for exports. */
export const plotPictures = new WeakMap<Explorer, PlotPicture>();

/** Below the plot, the figures of the ticks, in CSS pixels. */
const tickPx = 24;
const linePx = 16;

export function drawPlotPicture(ctx: CanvasRenderingContext2D, picture: PlotPicture, palette: Palette): void {
  const { drawing, thresholds, quadrants } = picture;
  const { area, x, y, size } = drawing;
  ctx.fillStyle = palette.canvas;
  ctx.fillRect(0, 0, size.width, size.height);
  drawPlot(ctx, drawing, palette);
  const { small, title } = writersOf(ctx);
  const [across, up] = [x.at(thresholds.x.value), y.at(thresholds.y.value)];
  const [hasX, hasY] = [across >= area.x0 && across <= area.x1, up >= area.y0 && up <= area.y1];
  const draw = (isMedian: boolean, from: readonly [number, number], to: readonly [number, number]) => {
    ctx.strokeStyle = palette.ink;
    ctx.lineWidth = 1;
    ctx.setLineDash(isMedian ? [4, 4] : []);
    ctx.beginPath();
    ctx.moveTo(...from);
    ctx.lineTo(...to);
    ctx.stroke();
    ctx.setLineDash([]);
  };
  ctx.textBaseline = 'middle';
  if (hasX) {
    draw(thresholds.x.isMedian, [across, area.y0 - 8], [across, area.y1]);
    ctx.textAlign = 'center';
    writeOver(ctx, small, thresholds.x.text, across, area.y0 - 16, palette.ink, palette.canvas);
  }
  if (hasY) {
    draw(thresholds.y.isMedian, [area.x0, up], [area.x1 + 8, up]);
    ctx.textAlign = 'left';
    writeOver(ctx, small, thresholds.y.text, area.x1 + 12, up, palette.ink, palette.canvas);
  }
  for (const [nth, { name, totals }] of quadrants.entries()) {
    const isRight = nth % 2 === 1;
    const top = nth >= 2 ? linePx : area.y1 + tickPx + linePx / 2;
    ctx.textAlign = isRight ? 'right' : 'left';
    const at = isRight ? size.width - 8 : 8;
    writeOver(ctx, title, name, at, top, palette.ink, palette.canvas);
    writeOver(ctx, small, totals, at, top + linePx, palette.mutedInk, palette.canvas);
  }
  ctx.textAlign = 'left';
}
