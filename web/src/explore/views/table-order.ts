import type { HeldTree } from '../store/held-tree.ts';
import type { ChildOrder } from './outline-rows.ts';

export type TableColumn = 'name' | 'type' | 'keywords' | 'volume' | 'difficulty' | 'cpc';
export type TableSort = { readonly by: TableColumn; readonly descending: boolean } | undefined;

/** Siblings by a column; unknown values come last either way. Undefined keeps the pack's order. */
export function childOrder(tree: HeldTree, sort: TableSort): ChildOrder | undefined {
  if (!sort) return undefined;
  const sign = sort.descending ? -1 : 1;
  if (sort.by === 'name') return (rows) => rows.toSorted((a, b) => sign * tree.name(a).localeCompare(tree.name(b)));
  if (sort.by === 'type') {
    const type = (row: number) => tree.types[tree.type[row]!] ?? '';
    return (rows) => rows.toSorted((a, b) => sign * type(a).localeCompare(type(b)));
  }
  const values = tree[sort.by];
  return (rows) => rows.toSorted((a, b) => compareKnown(values[a]!, values[b]!, sign));
}

function compareKnown(a: number, b: number, sign: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return sign * (a - b);
}

/** A column's next order on a press of its head: numbers start with the greatest, texts with A, then back to the pack's. */
export function nextSort(sort: TableSort, by: TableColumn): TableSort {
  const first = by !== 'name' && by !== 'type';
  if (sort?.by !== by) return { by, descending: first };
  return sort.descending === first ? { by, descending: !first } : undefined;
}
