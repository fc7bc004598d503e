import type { Field } from '@kc/rules/shapes';
import type { CSSProperties } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import type { TableColumn } from '../../model/table-order.ts';
import { fieldKey, figureName } from '../../tree-data/figures.ts';

export const rowPx = 36;
type Column = { readonly id: TableColumn; readonly title: string; readonly isText?: boolean };
export const columns: readonly Column[] = [
  { id: 'name', title: 'Name', isText: true },
  { id: 'type', title: 'Type', isText: true },
  { id: 'keywords', title: 'Keywords' },
  { id: 'volume', title: 'Volume' },
  { id: 'difficulty', title: 'Difficulty' },
  { id: 'cpc', title: 'CPC' },
];
export const width = 'min-w-[calc(100vw+11rem+var(--more-width,0px))] md:min-w-[calc(44.5rem+var(--more-width,0px))]';
/** On a small screen there is no type, and the volume ends where the screen does; then what else the file has. */
export const grid = classNames(
  'grid grid-cols-[calc(100vw-12rem)_5.5rem_6.5rem_6rem_5rem_var(--more,)]',
  'md:grid-cols-[minmax(12rem,1fr)_6.5rem_6.5rem_7.5rem_6.5rem_5.5rem_var(--more,)]',
  width,
);
const fieldRem = 8.5;

/** Room for the columns of the file's own fields, for all lines in it. */
export const withMore = (fields: number): CSSProperties =>
  (fields > 0
    ? { '--more': `repeat(${fields}, ${fieldRem}rem)`, '--more-width': `${fields * fieldRem}rem` }
    : {}) as CSSProperties;

export function columnOf({ name, kind }: Field): Column {
  const id = fieldKey(name);
  return { id, title: figureName(id), isText: kind !== 'number' };
}
