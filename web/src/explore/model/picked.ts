import type { LevelRows } from '@kc/pack/levels/rows-wire';
import { limits } from '@kc/rules/limits';
import { isPickedRow } from '../../ui/row-selection.ts';
import type { ListQuery, ListSelection } from './list-query.ts';
import { addressIn } from './place-names.ts';
import type { ExplorerSource, PointsQuery } from './source.ts';

/** Rows that are selected in a flat list or a plot, with their IDs; or all rows of a list except some. */
export type Picked = Omit<ListSelection, 'rows'> & {
  readonly rows: ReadonlyMap<number, string>;
  /** The filter of the screen at that time. A shape in a plot keeps less than that; `filter` includes the shape. */
  readonly screenFilter: string;
};

/** How many rows can be picked one by one. */
export const maxPicked = 5000;

/** How many of them a link names. */
export const maxPickedInLinks = 50;

export const nothingPicked: Picked = { filter: '', screenFilter: '', all: undefined, rows: new Map() };

/** A row of a page with its ID. */
export const rowOfPage = ({ slice }: LevelRows, index: number): readonly [number, string] => [
  slice.node[index]!,
  addressIn(slice, index),
];

/** Whether a row of a list is picked. */
export const isPicked = (picked: Picked, query: ListQuery, node: number): boolean =>
  coversList(picked, query) && isPickedRow(picked, node);

/** Whether a selection applies to the rows of a list: rows picked one by one may be in any. */
export const coversList = ({ all, filter }: Picked, query: ListQuery): boolean =>
  !all || (all.level === query.level && all.within === query.within && filter === query.filter);

/** The same rows as those of a list that has been changed by hand. */
export function pickedIn(query: ListQuery, picked: Picked): Picked {
  if (picked.all) return picked;
  return picked.rows.size === 0 ? nothingPicked : pickRows(query, picked.rows);
}

/** Picks exactly these rows. */
export const pickRows = (query: ListQuery, rows: Iterable<readonly [number, string]>): Picked => ({
  filter: query.filter,
  screenFilter: query.filter,
  all: undefined,
  rows: new Map(rows),
});

/** Picks a whole list, also what is not loaded. */
export const pickAll = ({ level, within, filter }: ListQuery): Picked => ({
  filter,
  screenFilter: filter,
  all: { level, within },
  rows: new Map(),
});

/** The rows that a link contains: their IDs if they are few and picked one by one, otherwise nothing. */
export const pickedInLink = ({ all, rows }: Picked): readonly string[] =>
  all || rows.size > maxPickedInLinks ? [] : [...rows.values()];

/** How many rows are picked. @param total the rows of the list, if all are */
export const countPicked = ({ all, rows }: Picked, total: number): number => (all ? total - rows.size : rows.size);

/** @param filter the filter of the screen, which rows that were picked one by one follow */
export const toSelection = ({ all, rows, ...picked }: Picked, filter: string): ListSelection => ({
  filter: all ? picked.filter : filter,
  all,
  rows: new Set(rows.keys()),
});

/** Whether a selection is one of these rows. Rows that were picked one by one are, wherever they are shown. */
export const isPickedOf = ({ all, screenFilter }: Picked, { level, within, filter }: RowsQuery): boolean =>
  !all || (all.level === level && all.within === within && screenFilter === filter);

type RowsQuery = Pick<ListQuery | PointsQuery, 'level' | 'within' | 'filter'>;

type RowSource = Pick<ExplorerSource, 'rows'>;

/**
 * The picked rows with their IDs, also where a whole list is picked.
 *
 * @param max how many are read; the rest is left out
 * @throws errors of the requests for pages
 */
export async function rowsOfPicked(
  { rows: fetchRows }: RowSource,
  { all, filter, rows }: Picked,
  max: number,
): Promise<ReadonlyMap<number, string>> {
  if (!all) return rows;
  const query = { ...all, filter, sort: '', fields: [], withTrends: false };
  const result = new Map<number, string>();
  const count = limits.maxRowsOfLevel;
  for (let from = 0, total = 1; from < total && result.size < max; from += count) {
    const page = await fetchRows(query, { from, count }, new AbortController().signal);
    total = page.total;
    for (let at = 0; at < page.slice.rows && result.size < max; at++) {
      const [node, address] = rowOfPage(page, at);
      if (!rows.has(node)) result.set(node, address);
    }
  }
  return result;
}

/** The same selection row by row, if it has no more rows than can be picked one by one. */
export async function pickedOneByOne(source: RowSource, picked: Picked): Promise<Picked> {
  const rows = await rowsOfPicked(source, picked, maxPicked + 1);
  return rows.size > maxPicked
    ? picked
    : { filter: picked.screenFilter, screenFilter: picked.screenFilter, all: undefined, rows };
}

/**
 * Two selections as one, row by row.
 *
 * @param filter of the screen
 * @returns undefined if they are more rows than can be picked one by one
 */
export async function combinePicked(
  source: RowSource,
  before: Picked,
  other: Picked,
  operation: 'add' | 'subtract',
  filter: string,
): Promise<Picked | undefined> {
  const max = maxPicked + 1;
  const rows = new Map(await rowsOfPicked(source, before, max));
  const others = await rowsOfPicked(source, other, max);
  // A selection that was not read to its end is too large, too.
  if (rows.size > maxPicked || others.size > maxPicked) return undefined;
  for (const [node, address] of others) {
    if (operation === 'add') rows.set(node, address);
    else rows.delete(node);
  }
  return rows.size > maxPicked ? undefined : { filter, screenFilter: filter, all: undefined, rows };
}

/** The maximum number of concurrent lookups. */
const maxLookups = 8;

/**
 * Rows of flat lists picked one by one, by their IDs. Those that this upload does not have are left out.
 *
 * @param filter of the screen
 * @throws errors of the lookups
 */
export async function findPicked(
  { locate }: Pick<ExplorerSource, 'locate'>,
  addresses: readonly string[],
  filter: string,
): Promise<Picked> {
  const rows = new Map<number, string>();
  for (let from = 0; from < addresses.length; from += maxLookups) {
    const batch = addresses.slice(from, from + maxLookups);
    const located = await Promise.all(batch.map((address) => locate(address, '')));
    for (const [at, { path, gone }] of located.entries()) {
      const node = path.at(-1);
      if (node !== undefined && gone === undefined) rows.set(node, batch[at]!);
    }
  }
  return { filter, screenFilter: filter, all: undefined, rows };
}
