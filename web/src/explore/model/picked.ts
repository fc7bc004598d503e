import type { LevelRows } from '@kc/pack/levels/rows-wire';
import { formatAddress } from '@kc/pack/names/path-hash';
import type { ListQuery, ListSelection } from './list-query.ts';

/** Rows that are selected in a flat list or a plot, with their IDs; or all rows of a list except some. */
export type Picked = Omit<ListSelection, 'rows'> & {
  readonly rows: ReadonlyMap<number, string>;
  /** The filter of the screen then. A shape in a plot keeps less than that, and `filter` says what. */
  readonly under: string;
};

/** How many rows can be picked one by one. */
export const mostPicked = 5000;

/** How many of them a link names. */
export const mostPickedInLinks = 50;

export const nothingPicked: Picked = { filter: '', under: '', all: undefined, rows: new Map() };

/** A row of a page with its ID. */
export const rowOfPage = ({ slice }: LevelRows, at: number): readonly [number, string] => [
  slice.node[at]!,
  formatAddress(slice.address[2 * at]!, slice.address[2 * at + 1]!),
];

/** Whether a row of a list is picked. */
export function isPicked({ all, filter, rows }: Picked, query: ListQuery, node: number): boolean {
  if (!all) return rows.has(node);
  const isThisList = all.level === query.level && all.within === query.within && filter === query.filter;
  return isThisList && !rows.has(node);
}

/** Picks a row, or puts it back. */
export function togglePicked(picked: Picked, query: ListQuery, row: readonly [number, string]): Picked {
  const [node] = row;
  const rows = new Map(picked.rows);
  if (!rows.delete(node)) rows.set(...row);
  if (picked.all) return { ...picked, rows };
  return rows.size === 0 ? nothingPicked : pickRows(query, rows);
}

/** Picks exactly these rows. */
export const pickRows = (query: ListQuery, rows: Iterable<readonly [number, string]>): Picked => ({
  filter: query.filter,
  under: query.filter,
  all: undefined,
  rows: new Map(rows),
});

/** Picks a whole list, also what is not loaded. */
export const pickAll = ({ level, within, filter }: ListQuery): Picked => ({
  filter,
  under: filter,
  all: { level, within },
  rows: new Map(),
});

/** What a link names of the rows: their IDs if they are few and picked one by one, otherwise nothing. */
export const pickedInLink = ({ all, rows }: Picked): readonly string[] =>
  all || rows.size > mostPickedInLinks ? [] : [...rows.values()];

/** How many rows are picked. @param total the rows of the list, if all are */
export const countPicked = ({ all, rows }: Picked, total: number): number => (all ? total - rows.size : rows.size);

/** @param filter the filter of the screen, which rows that were picked one by one follow */
export const asSelection = ({ all, rows, ...picked }: Picked, filter: string): ListSelection => ({
  filter: all ? picked.filter : filter,
  all,
  rows: new Set(rows.keys()),
});

/** Whether a selection is one of these rows. Rows that were picked one by one are, wherever they are shown. */
export const isPickedOf = ({ all, under }: Picked, { level, within, filter }: PlaceOfRows): boolean =>
  !all || (all.level === level && all.within === within && under === filter);

type PlaceOfRows = Pick<ListQuery, 'level' | 'within' | 'filter'>;
