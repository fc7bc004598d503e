import type { FilteredPack } from '../filter/filtered-pack.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { hardlyAmong, largestOf, type PlotQuery, type PointColumns, plotRows, pointColumns } from './plot-rows.ts';
import { isHigh, quadrantOf, quadrantPlaces, type Thresholds } from './quadrants.ts';
import type { RowValue } from './row-values.ts';
import { limitsOf, medianOf, sortedRuns } from './sorted-runs.ts';
import { totalsOf, unionOf } from './union.ts';

/** Rows of a level as points. */
export type PointsQuery = PlotQuery & {
  /** A missing threshold is at the median. */
  readonly tx?: number | undefined;
  readonly ty?: number | undefined;
  /** The most points, and the most rows without a place, to return. */
  readonly count: number;
  readonly names: number;
};

/** Keywords and volume of a union: nested rows and repeated keywords count once. `volume` is NaN if none is known. */
export type QuadrantTotals = {
  readonly rows: number;
  /** How many of the rows are hardly known. */
  readonly hardly: number;
  readonly keywords: number;
  readonly volume: number;
};

/** The nearest values on both sides of a threshold; undefined where there are none. */
export type Sides = { readonly below: number | undefined; readonly above: number | undefined };

export type Points = {
  /** All rows of the level, and those with both values. */
  readonly total: number;
  readonly placed: number;
  readonly hardly: number;
  /** Rows without a value for the axis; a row may lack both. */
  readonly missing: { readonly x: number; readonly y: number };
  /** The volume of the whole level; NaN if none is known. */
  readonly volume: number;
  /** Over the rows with both values; undefined if there are none. */
  readonly medians: Thresholds | undefined;
  /** The smallest and the greatest value of each axis among these. */
  readonly limits: { readonly x: readonly [number, number]; readonly y: readonly [number, number] } | undefined;
  /** In the order of `quadrantPlaces`; empty without points. */
  readonly quadrants: readonly QuadrantTotals[];
  readonly sides: { readonly x: Sides; readonly y: Sides };
  readonly points: PointColumns;
  /** The largest rows without both values. */
  readonly unplaced: Uint32Array;
};

/**
 * The rows of a level within a node as points: the largest ones exactly, and totals over all of them.
 * Cost: one pass over the rows, and one over the branches for each quadrant.
 *
 * @param pack the filtered pack if the query has a filter
 * @throws RangeError if the focus is not in the tree, or there is no such figure
 */
export async function takePoints(
  pack: PackReader | FilteredPack,
  query: PointsQuery,
  pause: Pause = noPause,
): Promise<Points> {
  const { count, names } = query;
  const { rows, placed, others, x, y, size, ...values } = await plotRows(pack, query, pause);
  const hardly = await hardlyAmong(pack, [query.x, query.y], rows, placed, pause);
  const [xs, ys] = [await sortedRuns(values.xs, pause), await sortedRuns(values.ys, pause)];
  const medians = placed.length === 0 ? undefined : { x: medianOf(xs), y: medianOf(ys) };
  const at = medians && { x: query.tx ?? medians.x, y: query.ty ?? medians.y };
  const all = await totalsOf(pack, await unionOf(pack, rows, pause), pause);
  const largest = await largestOf(placed, size, count, pause);
  return {
    total: rows.length,
    placed: placed.length,
    hardly: hardly.size,
    missing: { x: await countUnknown(others, x, pause), y: await countUnknown(others, y, pause) },
    volume: all.volume,
    medians,
    limits: medians && { x: limitsOf(xs), y: limitsOf(ys) },
    quadrants: at ? await quadrantsOf(pack, query, { placed, x, y, hardly }, at, pause) : [],
    sides: {
      x: await sidesOf(rows, query.x, x, at?.x ?? Number.NaN, pause),
      y: await sidesOf(rows, query.y, y, at?.y ?? Number.NaN, pause),
    },
    points: await pointColumns(pack, largest, { x, y, size }, (row) => hardly.has(row)),
    unplaced: await largestOf(others, size, names, pause),
  };
}

async function countUnknown(rows: Uint32Array, value: RowValue, pause: Pause): Promise<number> {
  let count = 0;
  await eachPiece(rows.length, pause, (from, end) => {
    for (let at = from; at < end; at++) if (Number.isNaN(value(rows[at]!))) count++;
  });
  return count;
}

type Placed = {
  readonly placed: Uint32Array;
  readonly x: RowValue;
  readonly y: RowValue;
  readonly hardly: ReadonlySet<number>;
};

async function quadrantsOf(
  pack: PackReader | FilteredPack,
  axes: { readonly x: string; readonly y: string },
  { placed, x, y, hardly }: Placed,
  at: Thresholds,
  pause: Pause,
): Promise<QuadrantTotals[]> {
  const quadrant = new Uint8Array(placed.length);
  const counts = quadrantPlaces.map(() => ({ rows: 0, hardly: 0 }));
  await eachPiece(placed.length, pause, (from, end) => {
    for (let nth = from; nth < end; nth++) {
      const row = placed[nth]!;
      quadrant[nth] = quadrantOf(axes, at, x(row), y(row));
      const count = counts[quadrant[nth]!]!;
      count.rows++;
      count.hardly += Number(hardly.has(row));
    }
  });
  const found: QuadrantTotals[] = [];
  for (const [place, count] of counts.entries()) {
    const rows = new Uint32Array(count.rows);
    let filled = 0;
    await eachPiece(placed.length, pause, (from, end) => {
      for (let nth = from; nth < end; nth++) if (quadrant[nth] === place) rows[filled++] = placed[nth]!;
    });
    const { keywords, volume } = await totalsOf(pack, await unionOf(pack, rows, pause), pause);
    found.push({ ...count, keywords, volume });
  }
  return found;
}

async function sidesOf(
  rows: Uint32Array,
  figure: string,
  figureOf: RowValue,
  threshold: number,
  pause: Pause,
): Promise<Sides> {
  let [below, above] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  await eachPiece(rows.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const value = figureOf(rows[at]!);
      if (Number.isNaN(value)) continue;
      if (isHigh(figure, value, threshold)) above = Math.min(above, value);
      else below = Math.max(below, value);
    }
  });
  return { below: Number.isFinite(below) ? below : undefined, above: Number.isFinite(above) ? above : undefined };
}
