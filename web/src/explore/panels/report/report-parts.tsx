import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import type { Explorer } from '../../model/explorer.ts';
import type { ExplorerState } from '../../model/explorer-state.ts';
import { useExplorer } from '../explorer-context.ts';

/** The sections of a report, in their order. */
const reportParts = ['picture', 'opportunities', 'plan', 'warnings', 'changes', 'method'] as const;
export type ReportPart = (typeof reportParts)[number];

export const partNames: Readonly<Record<ReportPart, string>> = {
  picture: 'Picture',
  opportunities: 'Top opportunities',
  plan: 'Plan',
  warnings: 'Warnings',
  changes: 'What changed',
  method: 'How these figures were made',
};

/** The sections that these data can have. @param hasPicture whether a chart is shown, which a table is not */
export function possibleParts(
  { isKept, hasWarnings }: Pick<Explorer, 'isKept' | 'hasWarnings'>,
  { vs }: Pick<ExplorerState, 'vs'>,
  hasPicture: boolean,
): ReportPart[] {
  const isPossible: Readonly<Record<ReportPart, boolean>> = {
    picture: hasPicture,
    opportunities: true,
    plan: isKept,
    warnings: hasWarnings,
    changes: vs !== undefined,
    method: true,
  };
  return reportParts.filter((part) => isPossible[part]);
}

type SectionProps = { readonly title: string; readonly note?: ReactNode; readonly children: ReactNode };

export function ReportSection({ title, note, children }: SectionProps) {
  return (
    <section className="flex flex-col gap-2">
      <div className="break-inside-avoid break-after-avoid">
        <h3 className="m-0 text-h2">{title}</h3>
        {note !== undefined && <div className="text-small text-muted">{note}</div>}
      </div>
      {children}
    </section>
  );
}

type LoadedProps<T> = {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  readonly children: (found: T) => ReactNode;
};

/** What was asked for, once it is there. A failure is part of the report, so that nothing is missing silently. */
export function Loaded<T>({ query: { data, error, refetch }, children }: LoadedProps<T>) {
  const { explain } = useExplorer();
  if (data !== undefined) return children(data);
  if (error === null) {
    return (
      <p role="status" className="m-0 text-small text-muted">
        Loading…
      </p>
    );
  }
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-control bg-bad-soft p-3 text-small text-bad">
      <p className="m-0">This section could not be loaded. {explain(error)}</p>
      <Button size="dense" onClick={() => void refetch()}>
        Try again
      </Button>
    </div>
  );
}

type ReportColumn = { readonly title: string; readonly isNumber?: boolean };

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
