import { figureName } from '@kc/pack/filter-words/figure-name';
import type { Field } from '@kc/rules/shapes';
import type { GridColumn } from '../../../ui/grid-columns.ts';
import { nextSort, type TableColumn, type TableSort } from '../../model/row-order.ts';
import { fieldKey, isKnownAnywhere } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';

const columnOf = (id: string, title: string, width: number, isText = false): GridColumn => ({
  ...{ id, title, isText, width },
  shownWidth: width,
});

/** Figures that a file may lack. */
const figuresOf = (isSmall: boolean) => [
  columnOf('volume', 'Volume', isSmall ? 112 : 120),
  columnOf('difficulty', 'Difficulty', 104),
  columnOf('cpc', 'CPC', 88),
];
const fieldPx = 136;
/** What changed since the upload that is compared with. It cannot be sorted by. */
const changes = [
  columnOf('change', 'Change', fieldPx, true),
  columnOf('volume_before', 'Volume before', fieldPx),
  columnOf('volume_change', 'Change in volume', fieldPx),
];

type ColumnOptions = {
  readonly tree: LoadedTree;
  readonly fields: readonly Field[];
  /** Whether another upload is compared with. */
  readonly isCompared: boolean;
  /** On a small screen the type is left out, and the first figure ends at the screen edge. */
  readonly isSmall?: boolean;
};

/** The columns of a branch as a table. */
export const treeColumns = ({ tree, fields, isCompared, isSmall = false }: ColumnOptions): readonly GridColumn[] => [
  columnOf('name', 'Name', 256, true),
  ...(isSmall ? [] : [columnOf('type', 'Type', 104, true)]),
  columnOf('keywords', 'Keywords', isSmall ? 88 : 104),
  ...figuresOf(isSmall).filter(({ id }) => isKnownAnywhere(tree, id as 'volume')),
  ...fields.map(({ name, kind }) => columnOf(fieldKey(name), figureName(fieldKey(name)), fieldPx, kind !== 'number')),
  ...(isCompared ? changes : []),
];

/** The columns with what sorts by them. */
export const sortedColumns = (
  columns: readonly GridColumn[],
  sort: TableSort,
  onSort: (sort: TableSort) => void,
): readonly GridColumn[] =>
  columns.map((column) => {
    if (changes.includes(column)) return column;
    const { id, isText } = column;
    const direction = sort?.by === id ? (sort.descending ? 'descending' : 'ascending') : undefined;
    return { ...column, sort: { direction, onSort: () => onSort(nextSort(sort, id as TableColumn, isText)) } };
  });
