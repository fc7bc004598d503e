import { limits } from '@kc/rules/limits';
import type { WarningLine, WarningSummary } from '@kc/rules/warning-shapes';
import { quietKind, type WarningKind } from '@kc/rules/warnings';
import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Explorer } from '../../model/explorer.ts';
import { isMarking, warningMarkMap } from '../../model/warning-marks.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

// Answers are cached by visualization and filter. A judgement or new thresholds make all of them outdated.

/** The start of the keys of all answers about warnings. */
export const warningsKey = (explorer: Explorer) => ['warnings', explorer.id] as const;

const summaryOf = (explorer: Explorer, filter: string) => ({
  queryKey: [...warningsKey(explorer), 'summary', filter],
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await explorer.source.warnings()).summary(filter, signal),
  staleTime: Number.POSITIVE_INFINITY,
});

export function useWarningSummary(isWanted = true) {
  const explorer = useExplorer();
  const filter = useLook((state) => state.filter);
  const ready = useLook((state) => state.ready);
  return useQuery({ ...summaryOf(explorer, filter), enabled: isWanted && ready && explorer.hasWarnings });
}

/** The open warnings that the badge counts. */
export const badgeCount = (summary: WarningSummary): number =>
  summary.kinds.reduce((sum, { kind, count }) => sum + (kind === quietKind ? 0 : count), 0);

export function useWarningLines(kind: WarningKind) {
  const explorer = useExplorer();
  const filter = useLook((state) => state.filter);
  return useInfiniteQuery({
    queryKey: [...warningsKey(explorer), 'page', kind, filter],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => (await explorer.source.warnings()).page(kind, pageParam, filter, signal),
    getNextPageParam: ({ total }, pages) => {
      const known = pages.reduce((sum, { lines }) => sum + lines.length, 0);
      return known < total ? known : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useNodeWarnings(node: number) {
  const explorer = useExplorer();
  const filter = useLook((state) => state.filter);
  return useQuery({
    queryKey: [...warningsKey(explorer), 'node', node, filter],
    queryFn: async ({ signal }) => (await explorer.source.warnings()).ofNode(node, filter, signal),
    enabled: explorer.hasWarnings,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useDismissed() {
  const explorer = useExplorer();
  return useQuery({
    queryKey: [...warningsKey(explorer), 'dismissed'],
    queryFn: async ({ signal }) => (await explorer.source.warnings()).dismissed(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What the map marks, while it marks warnings. */
export function useShownMarks() {
  const explorer = useExplorer();
  const filter = useLook((state) => state.filter);
  const withUnknown = useLook((state) => state.isUnknownWarned);
  const isShown = useLook((state) => isMarking(state));
  const { data } = useQuery({
    queryKey: [...warningsKey(explorer), 'marks', withUnknown, filter],
    queryFn: async ({ signal }) => (await explorer.source.warnings()).marks(filter, withUnknown, signal),
    enabled: isShown,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isShown ? data : undefined;
}

/** Keeps the marks of the map up to date while they are shown. */
export function useWarningMarks(): void {
  const { store } = useExplorer();
  const marks = useShownMarks();
  useEffect(() => {
    store.setState({ warningMarks: marks && warningMarkMap(marks) });
  }, [store, marks]);
}

/**
 * Goes to the next or previous warning in the order of the tab, and opens its line.
 *
 * @returns its line; undefined if there is none
 */
export async function stepWarnings(
  explorer: Explorer,
  queries: QueryClient,
  by: 1 | -1,
): Promise<WarningLine | undefined> {
  const { store, source } = explorer;
  const { filter, warning } = store.getState();
  const { kinds } = await queries.fetchQuery(summaryOf(explorer, filter));
  const listed = kinds.filter(({ count }) => count > 0);
  const all = listed.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return undefined;
  const before = (kind: WarningKind) => {
    const at = listed.findIndex((one) => one.kind === kind);
    return at < 0 ? undefined : listed.slice(0, at).reduce((sum, { count }) => sum + count, 0);
  };
  const start = warning && warning.filter === filter ? before(warning.kind) : undefined;
  const from = start === undefined ? (by === 1 ? -1 : 0) : start + warning!.index;
  let index = (from + by + all) % all;
  const kind = listed.find(({ count }) => {
    if (index < count) return true;
    index -= count;
    return false;
  })!.kind;
  const first = index - (index % limits.warningsAtATime);
  const { lines } = await queries.fetchQuery({
    queryKey: [...warningsKey(explorer), 'step', kind, first, filter],
    queryFn: async ({ signal }) => (await source.warnings()).page(kind, first, filter, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const line = lines[index - first];
  if (!line || store.getState().filter !== filter) return undefined;
  store.setState({ warning: { kind, index, filter }, panel: 'warnings', detailOpen: true });
  if (line.node > 0) await explorer.goToNode(line.node, 'beside');
  return line;
}
