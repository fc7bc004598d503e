import type { FilteredPack } from '../filter/filtered-pack.ts';
import { branchesOf } from '../filter/pack-branches.ts';
import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { hardlyKnownBelow } from './known-share.ts';
import type { Level } from './level.ts';
import { levelListsOf } from './level-lists.ts';
import { firstPlaces } from './order.ts';
import { fieldOf, shareFigures } from './row-sort.ts';
import { valuesOf } from './row-values.ts';
import { pillarOf } from './topics.ts';

/** The rows of a level within a node, by two figures. Figures are named like keys of a sort, see `row-sort`. */
export type PlotQuery = {
  readonly level: Level;
  readonly within: number;
  readonly x: string;
  readonly y: string;
  /** What decides which points are the largest. */
  readonly size: string;
};

/** A value of each figure for each row of the level, NaN for unknown. Rows are ascending; a place is an index of them. */
export type PlotRows = {
  readonly rows: Uint32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly size: Float64Array;
  /** The places of the rows with both values, and of the others. */
  readonly placed: Uint32Array;
  readonly others: Uint32Array;
};

/** @throws RangeError if the focus is not in the tree, or there is no such figure */
export async function plotRows(pack: PackReader | FilteredPack, query: PlotQuery, pause: Pause): Promise<PlotRows> {
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
  async (_: PackReader | FilteredPack, { x, y, pause }: Axes): Promise<Pick<PlotRows, 'placed' | 'others'>> => {
    // Both lists in one array, the second one from its end.
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

/**
 * @param places of the rows, in the order of their size
 * @param isHardly for each of them
 */
export async function pointColumns(
  pack: PackReader | FilteredPack,
  { rows, x, y, size }: Pick<PlotRows, 'rows' | 'x' | 'y' | 'size'>,
  places: Uint32Array,
  isHardly: Uint8Array,
): Promise<PointColumns> {
  const parent = await ('kept' in pack ? pack.whole : pack).column('parent');
  return {
    rows: places.map((at) => rows[at]!),
    pillar: places.map((at) => pillarOf(parent, rows[at]!)),
    x: Float64Array.from(places, (at) => x[at]!),
    y: Float64Array.from(places, (at) => y[at]!),
    size: Float64Array.from(places, (at) => size[at]!),
    isHardly,
  };
}

/** Unknown sizes last, equal ones in the order of the pack. @param places ascending */
export const largestOf = (places: Uint32Array, size: Float64Array, count: number, pause: Pause): Promise<Uint32Array> =>
  firstPlaces([{ values: size, descending: true }], Math.min(count, places.length), pause, places);

/**
 * 1 for each row of which one of the figures describes too little. A sum of the file or a score has no known share, and of a
 * row without children all is known that has a value.
 *
 * @param rows with values for the figures, ascending
 */
export async function hardlyAmong(
  pack: PackReader | FilteredPack,
  figures: readonly string[],
  rows: Uint32Array,
  pause: Pause,
): Promise<Uint8Array> {
  const isHardly = new Uint8Array(rows.length);
  const { starts } = await branchesOf('kept' in pack ? pack.whole : pack, pause);
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
      if (shares[nth]! < hardlyKnownBelow) isHardly[places[nth]!] = 1;
  }
  return isHardly;
}

/** Undefined for a figure without a known share. The volume itself is known for a part of the keywords. */
async function sharesOf(
  pack: PackReader | FilteredPack,
  figure: string,
  branches: Uint32Array,
  pause: Pause,
): Promise<Float64Array | undefined> {
  const name = shareFigures.find((one) => one === (fieldOf(figure) ?? figure));
  if (name) return valuesOf(pack, `known:${name}`, branches, pause);
  if (figure !== 'volume') return undefined;
  const { starts } = await branchesOf('kept' in pack ? pack.whole : pack, pause);
  const [known, keywords] = [await pack.column('volume_known'), await pack.column('keywords')];
  return Float64Array.from(branches, (row) => known[starts[row]!]! / keywords[starts[row]!]!);
}
