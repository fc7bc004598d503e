import type { ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';

export type ReportColumn = { readonly title: string; readonly isNumber?: boolean };

type TableProps = {
  readonly label: string;
  readonly columns: readonly ReportColumn[];
  /** A cell per column, by the key of the row. */
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
};

/** A table that repeats its head on every page, and keeps each row on one. */
export function ReportTable({ label, columns, rows }: TableProps) {
  const side = ({ isNumber }: ReportColumn) =>
    isNumber ? 'text-right tabular-nums whitespace-nowrap' : 'min-w-28 text-left';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by keys on a phone
    <section aria-label={label} tabIndex={0} className="overflow-x-auto">
      <table aria-label={label} className="w-full border-collapse text-small">
        <thead>
          <tr className="border-b border-line-strong">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={classNames('px-2 py-1 align-bottom text-micro font-semibold text-muted', side(column))}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} className="break-inside-avoid border-b border-line">
              {columns.map((column, at) => (
                <td key={column.title} className={classNames('px-2 py-1 align-top wrap-anywhere', side(column))}>
                  {cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
