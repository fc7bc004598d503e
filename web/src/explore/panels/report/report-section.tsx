import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useExplorer } from '../explorer-context.ts';

type SectionProps = { readonly title: string; readonly note?: ReactNode; readonly children: ReactNode };

export function ReportSection({ title, note, children }: SectionProps) {
  return (
    <section className="flex flex-col gap-2">
      <div className="break-inside-avoid break-after-avoid">
        <h3 className="m-0 text-h2">{title}</h3>
        {note !== undefined && <p className="m-0 text-small text-muted">{note}</p>}
      </div>
      {children}
    </section>
  );
}

type AskedProps<T> = {
  readonly asked: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  readonly children: (found: T) => ReactNode;
};

/** What was asked for, once it is there. A failure is part of the report, so that nothing is missing silently. */
export function Asked<T>({ asked: { data, error, refetch }, children }: AskedProps<T>) {
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
