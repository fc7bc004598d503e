import type { WarningSummary } from '@kc/rules/warning-shapes';
import { quietKind } from '@kc/rules/warnings';
import { useQuery } from '@tanstack/react-query';
import type { Explorer } from '../../model/explorer.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

// Answers are cached by visualization and filter. A judgement or new thresholds make all of them outdated.

/** The start of the keys of all answers about warnings. */
export const warningsKey = (explorer: Explorer) => ['warnings', explorer.id] as const;

export const summaryOf = (explorer: Explorer, filter: string) => ({
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
