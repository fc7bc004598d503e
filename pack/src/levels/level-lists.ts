import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { firstFrom } from '../format/order-of-numbers.ts';
import type { View } from '../sums/filtered-pack.ts';
import type { PointLevel } from '../vocabulary/choices.ts';
import type { ListPlace } from './level.ts';
import { levelRows } from './level-rows.ts';
import { type FinerKey, firstPlaces, type OrderKey, placesInOrder, placesUpTo } from './order.ts';
import { markOf, type RowSort, type SortKey, writeSort } from './row-sort.ts';
import { namesOf, type SortMarks, valuesOf } from './row-values.ts';
import { onePart, totalsOfParts } from './union.ts';

/** A list: the rows of a level within a focus, sorted. */
export type LevelQuery = {
  readonly level: PointLevel;
  readonly within: number;
  readonly sort: RowSort;
  /** Required if a key of the sort is a mark. */
  readonly marks?: SortMarks | undefined;
};

type LevelPage = {
  /** In the order of the list, from rank `from` on. */
  readonly rows: Uint32Array;
  /** The number of rows in the whole list. */
  readonly total: number;
  /** The number of distinct keywords in all of them. */
  readonly keywords: number;
};

/** Sorted lists and the figures of their rows, cached for the next page. */
interface LevelLists {
  page(query: LevelQuery, from: number, count: number, pause?: Pause): Promise<LevelPage>;
  /** The rank in a list that shows a node best, see {@link ListPlace}. Undefined for an empty list. */
  placeOf(query: LevelQuery, node: number, pause?: Pause): Promise<ListPlace | undefined>;
  /** The whole list. Must not be modified. */
  all(query: LevelQuery, pause?: Pause): Promise<Uint32Array>;
  /** A figure of every row of the list in pack order, see `valuesOf`. Must not be modified. */
  values(of: Omit<LevelQuery, 'sort'>, by: string, pause?: Pause): Promise<Float64Array>;
}

/** For pages up to this rank, only the first rows are selected; a page further down needs the whole list sorted. */
const selectedRows = 2000;

type Rows = { readonly rows: Uint32Array; readonly keywords: number };
type Making<T> = { readonly name: string; readonly pause: Pause; readonly make: () => Promise<T> };

const cachedRows = oncePerPack<Rows, Making<Rows>, View>((_, { make }) => make(), {
  nameOf: ({ name }) => name,
  sizeOf: ({ rows }) => rows.byteLength,
});
const cachedValues = oncePerPack<Float64Array, Making<Float64Array>, View>((_, { make }) => make(), {
  nameOf: ({ name }) => name,
  sizeOf: ({ byteLength }) => byteLength,
});

/**
 * The lists of an open pack, filtered or not. They are cached with it; the cache key consists of level, focus, sort and, if the sort is by
 * marks, the key of these.
 */
export function levelListsOf(pack: View): LevelLists {
  const rowsOf = (level: PointLevel, within: number, pause: Pause): Promise<Rows> => {
    const make = async (): Promise<Rows> => {
      const rows = await levelRows(pack, level, within, pause);
      return { rows, keywords: await keywordsIn(pack, level, within, rows, pause) };
    };
    return cachedRows(pack, { name: `${level} ${within}`, pause, make });
  };
  const valuesIn = ({ level, within, marks }: Omit<LevelQuery, 'sort'>, by: string, pause: Pause) => {
    const make = async () => valuesOf(pack, by, (await rowsOf(level, within, pause)).rows, pause, marks);
    const ofMarks = markOf(by) === undefined ? '' : marks?.key;
    return cachedValues(pack, { name: `${level} ${within} ${by} ${ofMarks}`, pause, make });
  };
  /** The sorted list, of which only the first {@link selectedRows} if `end` is not beyond them. */
  const ordered = async (query: LevelQuery, rows: Uint32Array, end: number, pause: Pause) => {
    const { level, within, sort, marks } = query;
    if (sort.length === 0) return rows;
    const isByMarks = sort.some(({ by }) => markOf(by) !== undefined);
    const name = `${level} ${within} ${writeSort(sort)}${isByMarks ? ` ${marks?.key}` : ''}`;
    const making = (isPart: boolean): Making<Rows> => ({
      name: isPart ? `first ${name}` : name,
      pause,
      async make() {
        const valuesBy = (by: string) => valuesIn(query, by, pause);
        if (isPart) return { rows: await firstRows(pack, rows, query, selectedRows, pause, valuesBy), keywords: 0 };
        const keys: OrderKey[] = [];
        for (const { by, descending } of sort) keys.push({ values: await valuesBy(by), descending });
        return { rows: (await placesInOrder(keys, pause)).map((at) => rows[at]!), keywords: 0 };
      },
    });
    const isPart = end <= selectedRows && rows.length > selectedRows && !cachedRows.has(pack, making(false));
    return (await cachedRows(pack, making(isPart))).rows;
  };
  return {
    async page(query, from, count, pause = noPause) {
      const { rows, keywords } = await rowsOf(query.level, query.within, pause);
      const end = Math.min(rows.length, from + count);
      const list = await ordered(query, rows, end, pause);
      return { rows: list.slice(Math.min(from, end), end), total: rows.length, keywords };
    },
    async placeOf(query, node, pause = noPause) {
      const list = await this.all(query, pause);
      if (list.length === 0) return undefined;
      const parent = await pack.whole.column('parent');
      const ascending = (await rowsOf(query.level, query.within, pause)).rows;
      for (let at = node; ; at = parent[at]!) {
        if (ascending[firstFrom(ascending, at)] === at)
          return { rank: list.indexOf(at), is: at === node ? 'same' : 'around' };
        if (at === 0) break;
      }
      const isInside = (row: number) => {
        let at = row;
        // A row has a higher number than its parent.
        while (at > node) at = parent[at]!;
        return at === node;
      };
      let inside = -1;
      await eachPiece(list.length, pause, (from, end) => {
        if (inside >= 0) return;
        const found = list.subarray(from, end).findIndex(isInside);
        if (found >= 0) inside = from + found;
      });
      return inside >= 0 ? { rank: inside, is: 'inside' } : { rank: 0, is: 'first' };
    },
    async all(query, pause = noPause) {
      const { rows } = await rowsOf(query.level, query.within, pause);
      return ordered(query, rows, Number.POSITIVE_INFINITY, pause);
    },
    values: (of, by, pause = noPause) => valuesIn(of, by, pause),
  };
}

/**
 * The first `count` rows of a list in the order of a sort. The first key alone selects the rows that can be among them. Only these are sorted,
 * and the other keys are read only for them: sorting all names would take seconds.
 *
 * @param rows ascending
 * @param valuesBy the values of all rows by a key, see `valuesOf`; called at most for the first key
 */
export async function firstRows(
  pack: View,
  rows: Uint32Array,
  { sort, marks }: Pick<LevelQuery, 'sort' | 'marks'>,
  count: number,
  pause: Pause,
  valuesBy: (by: string) => Promise<Float64Array>,
): Promise<Uint32Array> {
  const [{ by, descending }, ...others] = sort as [SortKey, ...SortKey[]];
  let some: Uint32Array;
  const keys: FinerKey[] = [];
  if (by === 'name') {
    const names = await namesOf(pack.whole);
    some = await names.rowsUpTo(rows, count, descending, pause);
    keys.push(...(await names.keys(some, descending, pause)));
  } else {
    const first = { values: await valuesBy(by), descending };
    if (others.length === 0) return (await firstPlaces([first], count, pause)).map((at) => rows[at]!);
    const places = await placesUpTo(first, count, pause);
    some = places.map((at) => rows[at]!);
    keys.push({ values: Float64Array.from(places, (at) => first.values[at]!), descending });
  }
  for (const other of others)
    keys.push({ values: await valuesOf(pack, other.by, some, pause, marks), descending: other.descending });
  return (await firstPlaces(keys, count, pause)).map((at) => some[at]!);
}

/** The number of distinct keywords in some rows of a level. The list of keywords has all of the focus; other levels may leave some out. */
async function keywordsIn(
  pack: View,
  level: PointLevel,
  within: number,
  rows: Uint32Array,
  pause: Pause,
): Promise<number> {
  if (rows.length === 0) return 0;
  if (level !== 'keywords') {
    const [all] = await totalsOfParts(pack, rows, onePart, pause);
    return all!.keywords;
  }
  return (await valuesOf(pack, 'keywords', Uint32Array.of(within), pause))[0]!;
}
