import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Column<Row> = {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Extra class of the column, such as its width. */
  readonly className?: string;
  /** Whether the cell is the row header. */
  readonly isRowHeader?: boolean;
};

type Props<Row> = {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
};

/** A plain table with a sticky header and hairlines. */
export function Table<Row>({ caption, columns, rows, rowKey }: Props<Row>) {
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 text-left text-small">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.id}
              scope="col"
              className={classNames(
                'sticky top-(--header) z-10 h-10 border-line border-b bg-sunken px-3 font-medium text-muted first:rounded-tl-card first:pl-4 last:rounded-tr-card last:pr-4',
                column.className,
              )}
            >
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} className="group hover:bg-sunken">
            {columns.map((column) => {
              const Cell = column.isRowHeader ? 'th' : 'td';
              return (
                <Cell
                  key={column.id}
                  {...(column.isRowHeader ? { scope: 'row' as const } : {})}
                  className="h-14 border-line border-b px-3 font-normal first:pl-4 last:pr-4 group-last:border-b-0"
                >
                  {column.cell(row)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
