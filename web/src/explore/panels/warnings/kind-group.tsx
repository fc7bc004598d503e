import type { WarningKind } from '@kc/rules/warnings';
import { useEffect, useState } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { exact } from '../../format/figure-text.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { WarningItem } from './warning-item.tsx';
import { kindNames } from './warning-names.ts';
import { useWarningLines } from './warning-queries.ts';
import { WarningSection } from './warning-section.tsx';

/** The warnings of one kind, closed at first. Stepping to one of them opens it. */
export function KindGroup({ kind, count }: { readonly kind: WarningKind; readonly count: number }) {
  const steppedTo = useLook((state) => (state.warning?.kind === kind ? state.warning : undefined));
  const [isOpen, setOpen] = useState(steppedTo !== undefined);
  useEffect(() => {
    if (steppedTo) setOpen(true);
  }, [steppedTo]);
  return (
    <WarningSection
      label={kindNames[kind]}
      heading={
        <>
          <span className="min-w-0 flex-1">{kindNames[kind]}</span>
          <Badge tone="warn">{exact(count)}</Badge>
        </>
      }
      isOpen={isOpen}
      setOpen={setOpen}
      className="border-b border-line last:border-b-0"
    >
      <Lines kind={kind} steppedTo={steppedTo?.index} />
    </WarningSection>
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
