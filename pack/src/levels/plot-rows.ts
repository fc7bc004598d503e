import type { FilteredPack } from '../filter/filtered-pack.ts';
import { eachPiece, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { rollUpsOf } from '../slice/rolled-rows.ts';
import { hardlyKnownBelow } from './known-share.ts';
import type { Level } from './level.ts';
import { levelListsOf } from './level-lists.ts';
import { pillarOf } from './pillars.ts';
import { firstRows } from './rank-rows.ts';
import { fieldOf, shareFigures } from './row-sort.ts';
import { type RowValue, rowValues } from './row-values.ts';

/** The rows of a level within a node, by two figures. Figures are named like keys of a sort, see `row-sort`. */
export type PlotQuery = {
  readonly level: Level;
  readonly within: number;
  readonly x: string;
  readonly y: string;
  /** What decides which points are the largest. */
  readonly size: string;
};

export type PlotRows = {
  /** All rows of the level, those with both values, and those without. Ascending. */
  readonly rows: Uint32Array;
  readonly placed: Uint32Array;
  readonly others: Uint32Array;
  /** The values of those with both, one per row. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly x: RowValue;
  readonly y: RowValue;
  readonly size: RowValue;
};

/** @throws RangeError if the focus is not in the tree, or there is no such figure */
export async function plotRows(pack: PackReader | FilteredPack, query: PlotQuery, pause: Pause): Promise<PlotRows> {
  const { level, within } = query;
  const rows = await levelListsOf(pack).all({ level, within, sort: [] }, pause);
  const figure = (by: string) => rowValues(pack, { by }, rows, pause);
  const [x, y, size] = [await figure(query.x), await figure(query.y), await figure(query.size)];
  const [placed, others] = [new Uint32Array(rows.length), new Uint32Array(rows.length)];
  const [xs, ys] = [new Float64Array(rows.length), new Float64Array(rows.length)];
  let [count, without] = [0, 0];
  await eachPiece(rows.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const row = rows[at]!;
      const [across, up] = [x(row), y(row)];
      if (Number.isNaN(across + up)) {
        others[without++] = row;
      } else {
        xs[count] = across;
        ys[count] = up;
        placed[count++] = row;
      }
    }
  });
  return {
    rows,
    placed: placed.subarray(0, count),
    others: others.subarray(0, without),
    xs: xs.subarray(0, count),
    ys: ys.subarray(0, count),
    x,
    y,
    size,
  };
}

/** Rows in the order of their size, with a value per row in each column. */
export type PointColumns = {
  readonly rows: Uint32Array;
  readonly pillar: Uint32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** NaN if unknown. */
  readonly size: Float64Array;
  /** 1 where a figure of an axis is known for too little of the row, see `known-share`. */
  readonly isHardly: Uint8Array;
};

export async function pointColumns(
  pack: PackReader | FilteredPack,
  rows: Uint32Array,
  { x, y, size }: Pick<PlotRows, 'x' | 'y' | 'size'>,
  isHardly: (row: number) => boolean,
): Promise<PointColumns> {
  const parent = await ('kept' in pack ? pack.whole : pack).column('parent');
  return {
    rows,
    pillar: rows.map((row) => pillarOf(parent, row)),
    x: Float64Array.from(rows, x),
    y: Float64Array.from(rows, y),
    size: Float64Array.from(rows, size),
    isHardly: Uint8Array.from(rows, (row) => Number(isHardly(row))),
  };
}

/** Unknown sizes last, equal ones in the order of the pack. */
export function largestOf(rows: Uint32Array, size: RowValue, count: number, pause: Pause): Promise<Uint32Array> {
  const rank = (row: number) => {
    const value = size(row);
    return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
  };
  const compare = (one: number, other: number) => {
    const [a, b] = [rank(one), rank(other)];
    return a === b ? one - other : b - a;
  };
  return firstRows(rows, { compare, first: rank, descending: true }, Math.min(count, rows.length), pause);
}

/**
 * The rows of which one of the figures describes too little. A sum of the file or a score has no known share.
 *
 * @param rows all rows of the level
 * @param placed those to look at, ascending
 */
export async function hardlyAmong(
  pack: PackReader | FilteredPack,
  figures: readonly string[],
  rows: Uint32Array,
  placed: Uint32Array,
  pause: Pause,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const figure of figures) {
    const share = await shareOf(pack, figure, rows, placed, pause);
    await eachPiece(share ? placed.length : 0, pause, (from, end) => {
      for (let at = from; at < end; at++) if (share!(placed[at]!, at) < hardlyKnownBelow) found.add(placed[at]!);
    });
  }
  return found;
}

/** The number of rows whose figures are read at a time. */
const pieceRows = 2 ** 16;

async function shareOf(
  pack: PackReader | FilteredPack,
  figure: string,
  rows: Uint32Array,
  placed: Uint32Array,
  pause: Pause,
): Promise<((row: number, at: number) => number) | undefined> {
  if (figure === 'volume') {
    const shares = new Float64Array(placed.length);
    for (let from = 0; from < placed.length; from += pieceRows) {
      if (from > 0) await pause();
      const rolled = await rollUpsOf(pack, placed.subarray(from, from + pieceRows));
      const [known, keywords] = [await rolled.column('volume_known'), await rolled.column('keywords')];
      for (let at = 0; at < known.length; at++) shares[from + at] = known[at]! / keywords[at]!;
    }
    return (_, at) => shares[at]!;
  }
  const name = shareFigures.find((one) => one === (fieldOf(figure) ?? figure));
  return name && rowValues(pack, { by: `known:${name}` }, rows, pause);
}
