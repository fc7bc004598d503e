import type { WarningKind } from '@kc/pack/vocabulary/warnings';
import type { WarningSummary } from '@kc/rules/warning-shapes';
import { quietKind } from '@kc/rules/warnings';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Explorer } from '../../model/explorer.ts';
import { isMarking, warningMarkMap } from '../../model/warning-marks.ts';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';

// Answers are cached by visualization and filter. A judgement or new thresholds make all of them outdated.

/** The start of the keys of all answers about warnings. */
export const warningsKey = (explorer: Explorer) => ['warnings', explorer.id] as const;

export const summaryOf = (explorer: Explorer, filter: string) => ({
  queryKey: [...warningsKey(explorer), 'summary', filter],
  queryFn: ({ signal }: { signal: AbortSignal }) => explorer.source.warnings.summary({ filter }, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** A draft is a new map after every change. Of a larger one, warnings are found only while somebody looks at them. */
const judgedAlways = 200_000;

function useIsJudged(): boolean {
  const { hasWarnings, isDraft, nodes } = useExplorer();
  const isLookedAt = useLook((state) => state.panel === 'warnings');
  return hasWarnings && (!isDraft || nodes <= judgedAlways || isLookedAt);
}

export function useWarningSummary(isEnabled = true) {
  const explorer = useExplorer();
  const { filter, ready } = useLooks('filter', 'ready');
  const isJudged = useIsJudged();
  return useQuery({ ...summaryOf(explorer, filter), enabled: isEnabled && ready && isJudged });
}

/** The open warnings that the badge counts. */
export const badgeCount = (summary: WarningSummary): number =>
  summary.kinds.reduce((sum, { kind, count }) => sum + (kind === quietKind ? 0 : count), 0);

// What only whoever looks at warnings asks for.

export function useWarningLines(kind: WarningKind) {
  const explorer = useExplorer();
  const filter = useLook((state) => state.filter);
  return useInfiniteQuery({
    queryKey: [...warningsKey(explorer), 'page', kind, filter],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => explorer.source.warnings.page({ kind, from: pageParam, filter }, { signal }),
    getNextPageParam: ({ total }, pages) => {
      const known = pages.reduce((sum, { lines }) => sum + lines.length, 0);
      return known < total ? known : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useNodeWarnings(node: number) {
  const explorer = useExplorer();
  const isJudged = useIsJudged();
  const filter = useLook((state) => state.filter);
  return useQuery({
    queryKey: [...warningsKey(explorer), 'node', node, filter],
    queryFn: ({ signal }) => explorer.source.warnings.ofNode({ node, filter }, { signal }),
    enabled: isJudged,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useDismissed() {
  const explorer = useExplorer();
  return useQuery({
    queryKey: [...warningsKey(explorer), 'dismissed'],
    queryFn: ({ signal }) => explorer.source.warnings.dismissed({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What the map marks, while it marks warnings. */
export function useShownMarks() {
  const explorer = useExplorer();
  const { filter, isUnknownWarned: withUnknown } = useLooks('filter', 'isUnknownWarned');
  const isShown = useLook(isMarking);
  const { data } = useQuery({
    queryKey: [...warningsKey(explorer), 'marks', withUnknown, filter],
    queryFn: ({ signal }) =>
      explorer.source.warnings.marks({ filter, ...(withUnknown && { unknown: 'yes' }) }, { signal }),
    enabled: isShown,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isShown ? data : undefined;
}

/** Keeps the marks of the map up to date while they are shown. */
export function WarningUpdates() {
  const { store } = useExplorer();
  const marks = useShownMarks();
  useEffect(() => {
    store.setState({ warningMarks: marks && warningMarkMap(marks) });
  }, [store, marks]);
  return null;
}
