import type { FilteredPack } from '../filter/filtered-pack.ts';
import { type Pause, pauseBetween, pieceLength } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import type { RowSort } from './row-sort.ts';
import { type RowValue, rowValues, type SortMarks } from './row-values.ts';
import { sortRows } from './sort-rows.ts';

/** Compares two rows by a sort. Never 0 for different rows. */
export type RowOrder = {
  readonly compare: (one: number, other: number) => number;
  /** The values of the first key, and whether the largest comes first. */
  readonly first: RowValue;
  readonly descending: boolean;
};

/**
 * The order of a sort: unknown values last in both directions, equal rows in the order of the pack. Undefined for a sort
 * without keys, which is the order of the pack.
 *
 * @param rows the rows that will be compared, ascending
 * @throws RangeError if the pack has no such field
 */
export async function rowOrder(
  pack: PackReader | FilteredPack,
  { sort, marks }: { readonly sort: RowSort; readonly marks?: SortMarks | undefined },
  rows: Uint32Array,
  pause: Pause,
): Promise<RowOrder | undefined> {
  if (sort.length === 0) return undefined;
  const keys: { of: RowValue; sign: number }[] = [];
  for (const key of sort) {
    await pause();
    keys.push({ of: await rowValues(pack, key, rows, pause, marks), sign: key.descending ? -1 : 1 });
  }
  const compare = (one: number, other: number) => {
    for (const { of, sign } of keys) {
      const [a, b] = [of(one), of(other)];
      if (a === b) continue;
      if (Number.isNaN(a) || Number.isNaN(b)) {
        const order = Number(Number.isNaN(a)) - Number(Number.isNaN(b));
        if (order !== 0) return order;
      } else return sign * (a - b);
    }
    return one - other;
  };
  return { compare, first: keys[0]!.of, descending: sort[0]!.descending };
}

/**
 * The first rows of an order, sorted.
 * Cost: one pass over the rows, which compares only those that are as good as the worst one so far; memory for twice the
 * result.
 */
export async function firstRows(
  rows: Uint32Array,
  { compare, first, descending }: RowOrder,
  count: number,
  pause: Pause,
): Promise<Uint32Array> {
  if (count === 0) return new Uint32Array(0);
  let found: number[] = [];
  /** The last of the first rows so far, and its first value; NaN while any row may be among them. */
  let worst: number | undefined;
  let bound = Number.NaN;
  const cut = () => {
    found = found.sort(compare).slice(0, count);
    worst = found.length < count ? undefined : found.at(-1);
    bound = worst === undefined ? Number.NaN : first(worst);
  };
  const between = pauseBetween(pause);
  const mostFound = 2 * count + 64;
  for (let from = 0; from < rows.length; ) {
    let at = from;
    const end = Math.min(rows.length, from + pieceLength);
    // A cut sorts all that was found, so it ends the piece.
    for (; at < end && found.length < mostFound; at++) {
      const row = rows[at]!;
      const value = first(row);
      // Most rows end here. Comparisons with an unknown value are false.
      if (descending ? value < bound : value > bound) continue;
      if (worst !== undefined && compare(row, worst) > 0) continue;
      found.push(row);
    }
    const isCut = found.length >= mostFound;
    if (isCut) cut();
    if (at < rows.length) await between(at - from + (isCut ? 16 * mostFound : 0));
    from = at;
  }
  cut();
  return Uint32Array.from(found);
}

/** All rows in an order. */
export const allRows = (rows: Uint32Array, { compare }: RowOrder, pause: Pause): Promise<Uint32Array> =>
  sortRows(rows, compare, pause);
