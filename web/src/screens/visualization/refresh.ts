import type { Visualization } from '@kc/rules/shapes';
import type { QueryObserverOptions } from '@tanstack/react-query';

/** A user who has nothing yet is waiting for data. */
const waitingMs = 30_000;

type All = Visualization[];

/**
 * When to check for newer data: at the interval set by the administrators, not while the tab is hidden, and at once on
 * return if a check is overdue. Never automatically if the setting says so.
 *
 * @param refreshMs `false` to check on request only
 */
export function lookAgain(refreshMs: number | false) {
  const everyMs = (all: All | undefined) => (all?.some((one) => !one.isSample) ? refreshMs : waitingMs);
  return {
    refetchInterval: ({ state }) => everyMs(state.data),
    staleTime: ({ state }) => everyMs(state.data) || Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: ({ state }) => everyMs(state.data) !== false,
  } satisfies Partial<QueryObserverOptions<All>>;
}
