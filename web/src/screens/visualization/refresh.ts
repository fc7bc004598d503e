import type { Visualization } from '@kc/rules/shapes';
import type { QueryObserverOptions } from '@tanstack/react-query';

/** Who has nothing yet waits for it. */
const waitingMs = 30_000;

type All = Visualization[];

/**
 * When to look for newer data: as often as the admins say, not while the tab is hidden, and on return at once if that is
 * overdue. By hand alone where they say so.
 *
 * Source: experience.md §5.6 "Stale".
 *
 * @param refreshMs `false` for by hand alone
 */
export function lookAgain(refreshMs: number | false) {
  const everyMs = (all: All | undefined) => (all?.some((one) => !one.isSample) ? refreshMs : waitingMs);
  return {
    refetchInterval: ({ state }) => everyMs(state.data),
    staleTime: ({ state }) => everyMs(state.data) || Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: ({ state }) => everyMs(state.data) !== false,
  } satisfies Partial<QueryObserverOptions<All>>;
}
