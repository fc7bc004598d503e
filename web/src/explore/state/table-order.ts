import { namedValue } from '../figure-text.ts';
import { fieldName, figuresOf, isFieldKey, type Metric } from '../store/figures.ts';
import type { HeldTree } from '../store/held-tree.ts';

/** Puts the held children of a row in another order than the pack's. */
export type ChildOrder = (rows: Int32Array) => Int32Array;
export type TableColumn = 'name' | 'type' | Metric;
export type TableSort = { readonly by: TableColumn; readonly descending: boolean } | undefined;

/**
 * Siblings by a column; unknown values, and counts of what a filter leaves out, come last either way. Undefined keeps the
 * pack's order.
 */
export function childOrder(tree: HeldTree, sort: TableSort): ChildOrder | undefined {
  if (!sort) return undefined;
  const sign = sort.descending ? -1 : 1;
  if (sort.by === 'name') return (rows) => rows.toSorted((a, b) => sign * tree.name(a).localeCompare(tree.name(b)));
  if (sort.by === 'type') {
    const type = (row: number) => tree.types[tree.type[row]!] ?? '';
    return (rows) => rows.toSorted((a, b) => sign * type(a).localeCompare(type(b)));
  }
  const field = isFieldKey(sort.by) ? tree.field(fieldName(sort.by)) : undefined;
  if (field && field.kind !== 'number') {
    const value = (row: number) => namedValue(field, row);
    return (rows) => rows.toSorted((a, b) => compareNamed(value(a), value(b), sign));
  }
  const values = field?.value ?? figuresOf(tree, sort.by)?.value;
  const figureAt = (row: number) => (tree.isLeftOut(row) ? Number.NaN : values![row]!);
  return values && ((rows) => rows.toSorted((a, b) => compareKnown(figureAt(a), figureAt(b), sign)));
}

/** The empty text is no value. */
function compareNamed(a: string, b: string, sign: number): number {
  if (a === '' || b === '') return Number(a === '') - Number(b === '');
  return sign * a.localeCompare(b);
}

function compareKnown(a: number, b: number, sign: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return sign * (a - b);
}

/** A column's next order on a press of its head: numbers start with the greatest, texts with A, then back to the pack's. */
export function nextSort(sort: TableSort, by: TableColumn, isText: boolean): TableSort {
  const first = !isText;
  if (sort?.by !== by) return { by, descending: first };
  return sort.descending === first ? { by, descending: !first } : undefined;
}
