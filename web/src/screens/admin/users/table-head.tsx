import { ArrowDown, ArrowUp } from 'lucide-react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { cellPadding, type UserColumn } from './user-columns.ts';
import type { SortColumn, UserSort } from './user-lists.ts';

type Props = {
  readonly columns: readonly UserColumn[];
  readonly sort: UserSort | undefined;
  readonly onSort: (by: SortColumn) => void;
  /** Whether all rows are selected, and whether any is. */
  readonly all: boolean;
  readonly some: boolean;
  readonly onAll: () => void;
};

/** The head of the table, in sight while it scrolls: a press on a column's name sorts by it. */
export function TableHead({ columns, sort, onSort, all, some, onAll }: Props) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ id, title, width }) => {
          const mine = sort?.by === id ? sort : undefined;
          return (
            <th
              key={id}
              scope="col"
              {...(mine ? { 'aria-sort': mine.descending ? ('descending' as const) : ('ascending' as const) } : {})}
              className={classNames(
                'sticky top-14 z-10 h-10 border-line border-b bg-sunken font-medium text-muted first:rounded-tl-card last:rounded-tr-card',
                cellPadding,
                width,
              )}
            >
              {id === 'select' && (
                <Checkbox
                  label="Select all users shown"
                  showLabel={false}
                  checked={all}
                  mixed={some && !all}
                  onChange={onAll}
                />
              )}
              {id === 'actions' && <span className="max-xl:sr-only">{title}</span>}
              {id !== 'select' && id !== 'actions' && (
                <SortButton title={title} sort={mine} onSort={() => onSort(id)} />
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

type SortProps = { readonly title: string; readonly sort: UserSort | undefined; readonly onSort: () => void };

function SortButton({ title, sort, onSort }: SortProps) {
  const Arrow = sort?.descending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={onSort}
      title={`Sort by ${title}`}
      className={classNames(
        'group/sort -ml-2 flex h-8 items-center gap-1 rounded-chip px-2 font-medium hover:text-ink',
        sort && 'text-ink',
      )}
    >
      {title}
      <Arrow
        size={14}
        aria-hidden
        className={classNames(!sort && 'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60')}
      />
    </button>
  );
}
