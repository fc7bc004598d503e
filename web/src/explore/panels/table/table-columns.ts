import { figureName } from '@kc/pack/filter-words/figure-name';
import type { Field } from '@kc/rules/shapes';
import type { CSSProperties } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import type { TableColumn } from '../../model/row-order.ts';
import { fieldKey, isKnownAnywhere } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';

export const rowPx = 36;
export type Column = { readonly id: TableColumn; readonly title: string; readonly isText?: boolean };
export const columns: readonly Column[] = [
  { id: 'name', title: 'Name', isText: true },
  { id: 'type', title: 'Type', isText: true },
  { id: 'keywords', title: 'Keywords' },
];
/** Columns of figures that a file may lack, with their widths in rem. */
const figureColumns = [
  { id: 'volume', title: 'Volume', rem: 7.5 },
  { id: 'difficulty', title: 'Difficulty', rem: 6.5 },
  { id: 'cpc', title: 'CPC', rem: 5.5 },
] as const;
export type FigureColumn = (typeof figureColumns)[number];

/** What changed since the upload that is compared with. They cannot be sorted by. */
export const changeColumns = [
  { id: 'change', title: 'Change' },
  { id: 'volume_before', title: 'Volume before' },
  { id: 'volume_change', title: 'Change in volume' },
] as const;
export type MarkColumn = (typeof changeColumns)[number];

/** The columns of the figures that the visualization has. */
export const figureColumnsOf = (tree: LoadedTree): readonly FigureColumn[] =>
  figureColumns.filter(({ id }) => isKnownAnywhere(tree, id));

export const width = 'min-w-[calc(100vw-7.5rem+var(--more-width))] md:min-w-[calc(29rem+var(--more-width))]';
/**
 * On a small screen the type is omitted, and the first figure ends at the screen edge. A name is as wide as in a flat
 * list at most, so that its figures stay beside it.
 */
export const grid = classNames(
  'grid grid-cols-[calc(100vw-13rem)_5.5rem_var(--more)]',
  'md:grid-cols-[minmax(16rem,30rem)_6.5rem_6.5rem_var(--more)]',
  width,
);
const fieldRem = 8.5;

/** The grid columns for figures and for the file's fields, shared by all rows. */
export function roomFor(figures: readonly FigureColumn[], fields: number): CSSProperties {
  const widths = [...figures.map(({ rem }) => rem), ...Array.from({ length: fields }, () => fieldRem)];
  const total = widths.reduce((sum, rem) => sum + rem, 0);
  return { '--more': widths.map((rem) => `${rem}rem`).join(' '), '--more-width': `${total}rem` } as CSSProperties;
}

export function columnOf({ name, kind }: Field): Column {
  const id = fieldKey(name);
  return { id, title: figureName(id), isText: kind !== 'number' };
}
