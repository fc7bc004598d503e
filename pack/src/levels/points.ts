import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { branchesOf } from '../sums/branches.ts';
import type { View } from '../sums/filtered-pack.ts';
import type { PointLevel } from '../vocabulary/choices.ts';
import { hardlyKnownBelow } from './known-share.ts';
import { levelListsOf } from './level-lists.ts';
import { firstPlaces, limitsOf, valuesOfRank } from './order.ts';
import { isCost, quadrantPlaces, type Thresholds } from './quadrants.ts';
import { fieldOf, shareFigures } from './row-sort.ts';
import { valuesOf } from './row-values.ts';
import { pillarOf } from './topics.ts';
import { onePart, totalsOfParts } from './union.ts';

/** A scatter plot of the rows of a level within a node, by two figures. Figures are named like keys of a sort, see `row-sort`. */
export type PlotQuery = {
  readonly level: PointLevel;
  readonly within: number;
  readonly x: string;
  readonly y: string;
  /** The figure by which points are the largest. */
  readonly size: string;
};

/** The values of the three figures for each row of the level, NaN for unknown. Rows are ascending; a place is an index in `rows`. */
type PlotRows = {
  readonly rows: Uint32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly size: Float64Array;
  /** The places of the rows with a known `x` and `y`, and of the others. */
  readonly placed: Uint32Array;
  readonly others: Uint32Array;
};

/** @throws RangeError if the focus is not in the tree, or there is no such figure */
export async function plotRows(pack: View, query: PlotQuery, pause: Pause): Promise<PlotRows> {
  const lists = levelListsOf(pack);
  const rows = await lists.all({ ...query, sort: [] }, pause);
  const [x, y, size] = [
    await lists.values(query, query.x, pause),
    await lists.values(query, query.y, pause),
    await lists.values(query, query.size, pause),
  ];
  return { rows, x, y, size, ...(await placesOf(pack, { query, x, y, pause })) };
}

type Axes = { readonly query: PlotQuery; readonly x: Float64Array; readonly y: Float64Array; readonly pause: Pause };

const placesOf = oncePerPack(
  async (_: View, { x, y, pause }: Axes): Promise<Pick<PlotRows, 'placed' | 'others'>> => {
    // Both lists share one array; the second one grows from its end.
    const places = new Uint32Array(x.length);
    let [next, last] = [0, x.length];
    await eachPiece(x.length, pause, (from, end) => {
      for (let at = from; at < end; at++) {
        if (Number.isNaN(x[at]! + y[at]!)) places[--last] = at;
        else places[next++] = at;
      }
    });
    return { placed: places.subarray(0, next), others: places.subarray(next).reverse() };
  },
  {
    nameOf: ({ query: { level, within, x, y } }) => JSON.stringify([level, within, x, y]),
    sizeOf: ({ placed, others }) => placed.byteLength + others.byteLength,
  },
);

/** Points as columns with one value per point, largest size first. */
export type PointColumns = {
  readonly rows: Uint32Array;
  readonly pillar: Uint32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** NaN if unknown. */
  readonly size: Float64Array;
  /** 1 if the figure of an axis is hardly known for the row, see `known-share`. */
  readonly isHardlyKnown: Uint8Array;
};

/**
 * @param places the places of the points, largest first
 * @param isHardlyKnown one value per point, in the same order
 */
export async function pointColumns(
  pack: View,
  { rows, x, y, size }: Pick<PlotRows, 'rows' | 'x' | 'y' | 'size'>,
  places: Uint32Array,
  isHardlyKnown: Uint8Array,
): Promise<PointColumns> {
  const parent = await pack.whole.column('parent');
  return {
    rows: places.map((at) => rows[at]!),
    pillar: places.map((at) => pillarOf(parent, rows[at]!)),
    x: Float64Array.from(places, (at) => x[at]!),
    y: Float64Array.from(places, (at) => y[at]!),
    size: Float64Array.from(places, (at) => size[at]!),
    isHardlyKnown,
  };
}

/** The places of the largest rows, largest first. Unknown sizes come last, equal ones in pack order. @param places ascending */
export const largestOf = (places: Uint32Array, size: Float64Array, count: number, pause: Pause): Promise<Uint32Array> =>
  firstPlaces([{ values: size, descending: true }], Math.min(count, places.length), pause, places);

/**
 * 1 for each row for which one of the figures is hardly known. This can only be a branch, because a row without children that has a value is
 * known as a whole. Fields of the file and scores have no known share, so they never count.
 *
 * @param rows with values for the figures, ascending
 */
export async function hardlyKnownAmong(
  pack: View,
  figures: readonly string[],
  rows: Uint32Array,
  pause: Pause,
): Promise<Uint8Array> {
  const isHardlyKnown = new Uint8Array(rows.length);
  const { starts } = await branchesOf(pack.whole, pause);
  const found = new Uint32Array(rows.length);
  let count = 0;
  await eachPiece(rows.length, pause, (from, end) => {
    for (let at = from; at < end; at++) if (starts[rows[at]!] !== starts[rows[at]! + 1]) found[count++] = at;
  });
  const places = found.subarray(0, count);
  const branches = places.map((at) => rows[at]!);
  for (const figure of branches.length === 0 ? [] : figures) {
    const shares = await sharesOf(pack, figure, branches, pause);
    for (let nth = 0; shares && nth < places.length; nth++)
      if (shares[nth]! < hardlyKnownBelow) isHardlyKnown[places[nth]!] = 1;
  }
  return isHardlyKnown;
}

/** The known shares of a figure; undefined for a figure that has none. That of the volume is a share of the keywords. */
async function sharesOf(
  pack: View,
  figure: string,
  branches: Uint32Array,
  pause: Pause,
): Promise<Float64Array | undefined> {
  const name = shareFigures.find((one) => one === (fieldOf(figure) ?? figure));
  if (name) return valuesOf(pack, `known:${name}`, branches, pause);
  if (figure !== 'volume') return undefined;
  const { starts } = await branchesOf(pack.whole, pause);
  const [known, keywords] = [await pack.column('volume_known'), await pack.column('keywords')];
  return Float64Array.from(branches, (row) => known[starts[row]!]! / keywords[starts[row]!]!);
}

/** Rows of a level as points. */
export type PointsQuery = PlotQuery & {
  /** The thresholds between the quadrants; a missing one is the median. */
  readonly tx?: number | undefined;
  readonly ty?: number | undefined;
  /** The maximum number of points, and of rows without both values, to return. */
  readonly count: number;
  readonly names: number;
};

/** The totals of the rows of a quadrant as one set: nested rows and repeated keywords count once. `volume` is NaN if none is known. */
type QuadrantTotals = {
  readonly rows: number;
  /** The number of rows that are hardly known, see `known-share`. */
  readonly hardly: number;
  readonly keywords: number;
  readonly volume: number;
};

/** The nearest values on both sides of a threshold; undefined where there are none. */
export type Sides = { readonly below: number | undefined; readonly above: number | undefined };

/** The part of a plot that does not depend on the thresholds, and so is cached. */
type Plot = {
  /** The number of rows of the level, how many of these have both values, and how many of the latter are hardly known. */
  readonly total: number;
  readonly placed: number;
  readonly hardly: number;
  /** Rows without a value for the axis; a row may lack both. */
  readonly missing: { readonly x: number; readonly y: number };
  /** The volume of the whole level; NaN if none is known. */
  readonly volume: number;
  /** The medians of the rows with both values; undefined if there are none. */
  readonly medians: Thresholds | undefined;
  /** The minimum and maximum of each axis among these. */
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
 * The rows of a level within a node as points: the largest ones one by one, and totals over all of them.
 * Cost: a few passes over the rows, or two if only a threshold differs from that of an earlier call.
 *
 * @param pack the filtered pack if the query has a filter
 * @throws RangeError if the focus is not in the tree, or there is no such figure
 */
export async function takePoints(pack: View, query: PointsQuery, pause: Pause = noPause): Promise<Points> {
  const rows = await plotRows(pack, query, pause);
  const { isHardlyKnown, ...plot } = await plotOf(pack, { query, rows, pause });
  const at = plot.medians && { x: query.tx ?? plot.medians.x, y: query.ty ?? plot.medians.y };
  return {
    ...plot,
    quadrants: at ? await quadrantsOf(pack, query, rows, isHardlyKnown, at, pause) : [],
    sides: {
      x: await sidesOf(rows.x, isCost(query.x), at?.x, pause),
      y: await sidesOf(rows.y, isCost(query.y), at?.y, pause),
    },
  };
}

type PlotRequest = { readonly query: PointsQuery; readonly rows: PlotRows; readonly pause: Pause };

/** By place, 1 for a row that is hardly known. */
type CachedPlot = Plot & { readonly isHardlyKnown: Uint8Array };

const plotOf = oncePerPack<CachedPlot, PlotRequest, View>(findPlot, {
  nameOf: ({ query: { level, within, x, y, size, count, names } }) =>
    JSON.stringify([level, within, x, y, size, count, names]),
  sizeOf: ({ isHardlyKnown, points, unplaced }) =>
    isHardlyKnown.byteLength + 37 * points.rows.length + 4 * unplaced.length,
});

async function findPlot(pack: View, { query, rows: plot, pause }: PlotRequest): Promise<CachedPlot> {
  const { rows, placed, others, x, y, size } = plot;
  const isHardlyKnown = new Uint8Array(rows.length);
  const hardlyPlaced = await hardlyKnownAmong(pack, [query.x, query.y], await picked(rows, placed, pause), pause);
  let hardly = 0;
  await eachPiece(placed.length, pause, (from, end) => {
    for (let nth = from; nth < end; nth++) {
      isHardlyKnown[placed[nth]!] = hardlyPlaced[nth]!;
      hardly += hardlyPlaced[nth]!;
    }
  });
  const [xs, ys] = [await picked(x, placed, pause), await picked(y, placed, pause)];
  const isEmpty = placed.length === 0;
  const [all] = await totalsOfParts(pack, rows, onePart, pause);
  const largest = await largestOf(placed, size, query.count, pause);
  return {
    isHardlyKnown,
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
      largest.length === 0 ? new Uint8Array(0) : Uint8Array.from(largest, (at) => isHardlyKnown[at]!),
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
  pack: View,
  query: Pick<PlotQuery, 'x' | 'y'>,
  { rows, placed, x, y }: PlotRows,
  isHardlyKnown: Uint8Array,
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
      hardly[quadrant]! += isHardlyKnown[place]!;
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

/** The nearest values on both sides of a threshold. A value equal to it is on the good side, as in `isHigh`. */
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
