import type { FilteredPack } from '../filter/filtered-pack.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { limitsOf, valuesOfRank } from './order.ts';
import {
  hardlyAmong,
  largestOf,
  type PlotQuery,
  type PlotRows,
  type PointColumns,
  plotRows,
  pointColumns,
} from './plot-rows.ts';
import { isCost, quadrantPlaces, type Thresholds } from './quadrants.ts';
import { totalsOfParts } from './union.ts';

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

/** What does not depend on the thresholds. */
type Plot = {
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
  readonly points: PointColumns;
  /** The largest rows without both values. */
  readonly unplaced: Uint32Array;
};

export type Points = Plot & {
  /** In the order of `quadrantPlaces`; empty without points. */
  readonly quadrants: readonly QuadrantTotals[];
  readonly sides: { readonly x: Sides; readonly y: Sides };
};

/**
 * The rows of a level within a node as points: the largest ones exactly, and totals over all of them.
 * Cost: a few passes over the rows, of which two remain when only a threshold is another one.
 *
 * @param pack the filtered pack if the query has a filter
 * @throws RangeError if the focus is not in the tree, or there is no such figure
 */
export async function takePoints(
  pack: PackReader | FilteredPack,
  query: PointsQuery,
  pause: Pause = noPause,
): Promise<Points> {
  const rows = await plotRows(pack, query, pause);
  const { isHardly, ...plot } = await plotOf(pack, { query, rows, pause });
  const at = plot.medians && { x: query.tx ?? plot.medians.x, y: query.ty ?? plot.medians.y };
  return {
    ...plot,
    quadrants: at ? await quadrantsOf(pack, query, rows, isHardly, at, pause) : [],
    sides: {
      x: await sidesOf(rows.x, isCost(query.x), at?.x, pause),
      y: await sidesOf(rows.y, isCost(query.y), at?.y, pause),
    },
  };
}

type Asked = { readonly query: PointsQuery; readonly rows: PlotRows; readonly pause: Pause };

/** By place, 1 for a row that is hardly known. */
type Kept = Plot & { readonly isHardly: Uint8Array };

const plotOf = oncePerPack<Kept, Asked, PackReader | FilteredPack>(findPlot, {
  nameOf: ({ query: { level, within, x, y, size, count, names } }) =>
    JSON.stringify([level, within, x, y, size, count, names]),
  sizeOf: ({ isHardly, points, unplaced }) => isHardly.byteLength + 37 * points.rows.length + 4 * unplaced.length,
});

async function findPlot(pack: PackReader | FilteredPack, { query, rows: plot, pause }: Asked): Promise<Kept> {
  const { rows, placed, others, x, y, size } = plot;
  const isHardly = new Uint8Array(rows.length);
  const hardlyPlaced = await hardlyAmong(pack, [query.x, query.y], await picked(rows, placed, pause), pause);
  let hardly = 0;
  await eachPiece(placed.length, pause, (from, end) => {
    for (let nth = from; nth < end; nth++) {
      isHardly[placed[nth]!] = hardlyPlaced[nth]!;
      hardly += hardlyPlaced[nth]!;
    }
  });
  const [xs, ys] = [await picked(x, placed, pause), await picked(y, placed, pause)];
  const isEmpty = placed.length === 0;
  const [all] = await totalsOfParts(pack, rows, { of: new Uint8Array(rows.length), count: 1 }, pause);
  const largest = await largestOf(placed, size, query.count, pause);
  return {
    isHardly,
    total: rows.length,
    placed: placed.length,
    hardly,
    missing: { x: countUnknown(others, x), y: countUnknown(others, y) },
    volume: all!.volume,
    medians: isEmpty ? undefined : { x: await medianOf(xs, pause), y: await medianOf(ys, pause) },
    limits: isEmpty ? undefined : { x: await limitsOf(xs, pause), y: await limitsOf(ys, pause) },
    points: await pointColumns(
      pack,
      plot,
      largest,
      largest.length === 0 ? new Uint8Array(0) : Uint8Array.from(largest, (at) => isHardly[at]!),
    ),
    unplaced: (await largestOf(others, size, query.names, pause)).map((at) => rows[at]!),
  };
}

/** The values at some places; the values themselves if these are all. */
async function picked<T extends Uint32Array | Float64Array>(values: T, places: Uint32Array, pause: Pause): Promise<T> {
  if (places.length === values.length) return values;
  const some = new (values.constructor as new (length: number) => T)(places.length);
  await eachPiece(places.length, pause, (from, end) => {
    for (let nth = from; nth < end; nth++) some[nth] = values[places[nth]!]!;
  });
  return some;
}

async function medianOf(values: Float64Array, pause: Pause): Promise<number> {
  const middle = (values.length - 1) / 2;
  const ranks = [...new Set([Math.floor(middle), Math.ceil(middle)])];
  const found = await valuesOfRank(values, ranks, pause);
  return (found[0]! + found.at(-1)!) / 2;
}

function countUnknown(places: Uint32Array, values: Float64Array): number {
  let count = 0;
  for (let nth = 0; nth < places.length; nth++) if (Number.isNaN(values[places[nth]!])) count++;
  return count;
}

async function quadrantsOf(
  pack: PackReader | FilteredPack,
  query: Pick<PlotQuery, 'x' | 'y'>,
  { rows, placed, x, y }: PlotRows,
  isHardly: Uint8Array,
  at: Thresholds,
  pause: Pause,
): Promise<QuadrantTotals[]> {
  const count = quadrantPlaces.length;
  const of = new Uint8Array(rows.length);
  if (placed.length < rows.length) of.fill(count);
  const [inQuadrant, hardly] = [new Uint32Array(count), new Uint32Array(count)];
  const [isCostX, isCostY] = [isCost(query.x), isCost(query.y)];
  await eachPiece(placed.length, pause, (from, end) => {
    for (let nth = from; nth < end; nth++) {
      const place = placed[nth]!;
      const isRight = isCostX ? x[place]! > at.x : x[place]! >= at.x;
      const isUpper = isCostY ? y[place]! > at.y : y[place]! >= at.y;
      const quadrant = Number(isRight) + 2 * Number(isUpper);
      of[place] = quadrant;
      inQuadrant[quadrant]!++;
      hardly[quadrant]! += isHardly[place]!;
    }
  });
  const totals = await totalsOfParts(pack, rows, { of, count }, pause);
  return totals.map(({ keywords, volume }, nth) => ({
    rows: inQuadrant[nth]!,
    hardly: hardly[nth]!,
    keywords,
    volume,
  }));
}

/** Equal values are on the good side of a threshold, as in `isHigh`. */
async function sidesOf(
  values: Float64Array,
  isCost: boolean,
  threshold: number | undefined,
  pause: Pause,
): Promise<Sides> {
  let [below, above] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const at = threshold ?? Number.NaN;
  await eachPiece(values.length, pause, (from, end) => {
    for (let nth = from; nth < end; nth++) {
      const value = values[nth]!;
      // Comparisons with an unknown value are false.
      if (isCost ? value > at : value >= at) {
        if (value < above) above = value;
      } else if (value > below) below = value;
    }
  });
  return { below: Number.isFinite(below) ? below : undefined, above: Number.isFinite(above) ? above : undefined };
}
