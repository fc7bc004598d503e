import type { WarningKind } from '@kc/rules/warnings';
import { ChevronRight } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { exact } from '../../format/numbers.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { useWarningLines } from './use-warnings.ts';
import { WarningItem } from './warning-item.tsx';
import { kindNames } from './warning-texts.ts';

/** The warnings of one kind, closed at first. Stepping to one of them opens it. */
export function KindGroup({ kind, count }: { readonly kind: WarningKind; readonly count: number }) {
  const steppedTo = useLook((state) => (state.warning?.kind === kind ? state.warning : undefined));
  const [isOpen, setOpen] = useState(steppedTo !== undefined);
  const id = useId();
  useEffect(() => {
    if (steppedTo) setOpen(true);
  }, [steppedTo]);
  return (
    <section aria-label={kindNames[kind]} className="border-b border-line last:border-b-0">
      <h3 className="m-0">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-10 w-full items-center gap-2 rounded-control text-left text-small font-medium hover:bg-sunken touch:min-h-11"
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={classNames('motion shrink-0 transition-transform duration-150', isOpen && 'rotate-90')}
          />
          <span className="min-w-0 flex-1">{kindNames[kind]}</span>
          <Badge tone="warn">{exact(count)}</Badge>
        </button>
      </h3>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Lines kind={kind} steppedTo={steppedTo?.index} />}
      </div>
    </section>
  );
}

function Lines({ kind, steppedTo }: { readonly kind: WarningKind; readonly steppedTo: number | undefined }) {
  const explorer = useExplorer();
  const { data, isError, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useWarningLines(kind);
  const lines = data?.pages.flatMap((page) => page.lines) ?? [];
  const isBehind = steppedTo !== undefined && steppedTo >= lines.length && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (isBehind) void fetchNextPage();
  }, [isBehind, fetchNextPage]);
  if (isError) {
    return (
      <div
        role="alert"
        className="mb-2 flex flex-col items-start gap-2 rounded-control bg-bad-soft p-2 text-small text-bad"
      >
        {explorer.explain(error)}
        <Button size="dense" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (!data) return <Skeleton className="mb-2 h-16" />;
  return (
    <>
      <ul className="m-0 flex list-none flex-col gap-1 p-0 pb-2">
        {lines.map((line, index) => (
          <WarningItem
            key={`${line.node} ${line.subject ?? ''}`}
            line={line}
            index={index}
            isSteppedTo={index === steppedTo}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button size="dense" className="mb-2" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}
