import { type RowSort, readSort, writeSort } from '@kc/pack/levels/row-sort';
import type { Level, PointLevel } from '@kc/pack/vocabulary/choices';
import type { ListColumn } from './list-columns.ts';

/**
 * What the table lists: the hierarchy, one level of it as a flat list, or the entries of the plan. In the order of their keys,
 * where subtopics came last.
 */
export const tableLevels = ['tree', 'pillars', 'clusters', 'keywords', 'plan', 'subtopics'] as const;
export type TableLevel = (typeof tableLevels)[number];

/** Whether a level is a list that the server ranks. */
export const isRankedLevel = (level: TableLevel): level is Level => level !== 'tree' && level !== 'plan';

/** A flat list. Equal queries have the same rows in the same order. Nodes are pack rows. */
export type ListQuery = {
  readonly level: PointLevel;
  readonly within: number;
  readonly filter: string;
  /** Written by `row-sort`. */
  readonly sort: string;
  /** Fields of the file to fetch with each row. */
  readonly fields: readonly string[];
  readonly withTrends: boolean;
  /** Whether to fetch the names of similar nodes. */
  readonly withSimilar?: boolean;
  /**
   * For a sort by warnings: which state of the judgements it is by, and whether what is mostly unknown counts. Undefined for
   * other sorts.
   */
  readonly warningSort?: { readonly stamp: number; readonly withUnknown: boolean } | undefined;
};

/** Selected rows of a list, or all of a list except some. Nodes are pack rows. */
export type ListSelection = {
  readonly filter: string;
  readonly all: { readonly level: PointLevel; readonly within: number } | undefined;
  /** The selected rows; with `all`, those that are not. */
  readonly rows: ReadonlySet<number>;
};

/** The text of a sort in an address; empty for none and for what is none. */
export function sortIn(text: string | null): string {
  const sort = readSort(text ?? '');
  return sort ? writeSort(sort) : '';
}

/**
 * The sort after a click on a column: first in its own order, then the other way, then without
 * the column.
 *
 * @param keepsOthers whether to keep the other keys
 */
export function nextRowSort(text: string, by: string, order: ListColumn['order'], keepsOthers: boolean): string {
  const sort = readSort(text) ?? [];
  const startsDescending = startsHigh(order);
  const current = sort.find((key) => key.by === by);
  const next = !current ? startsDescending : current.descending === startsDescending ? !startsDescending : undefined;
  if (!keepsOthers) return writeSort(next === undefined ? [] : [{ by, descending: next }]);
  const changed = sort.flatMap((key) => (key.by !== by ? [key] : next === undefined ? [] : [{ by, descending: next }]));
  const added: RowSort = current ? changed : [...changed, { by, descending: startsDescending }];
  // The fourth key would decide almost nothing: it replaces the last one.
  return writeSort(added.length > 3 ? [...added.slice(0, 2), added.at(-1)!] : added);
}

/** Whether the first sort of a column begins with the largest value. */
export const startsHigh = (order: ListColumn['order']): boolean => order !== 'A to Z';

/** Sets or adds a key with a direction, as the menu of a column does. */
export function sortBy(text: string, by: string, descending: boolean, keepsOthers: boolean): string {
  const others = keepsOthers ? (readSort(text) ?? []).filter((key) => key.by !== by).slice(0, 2) : [];
  return writeSort([...others, { by, descending }]);
}
