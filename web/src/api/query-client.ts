import { toRefusal } from '@kc/rules/result';
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { concernsSession } from './refusal.ts';

/**
 * The cache of server responses.
 *
 * A refusal is never retried, and neither is a call that was given up; a failed connection is retried twice, a second
 * apart.
 *
 * @param onSessionLost called when a response shows that the session is not what the page assumes
 */
export function makeQueryClient(onSessionLost: () => void): QueryClient {
  const watch = (error: unknown) => {
    if (concernsSession(toRefusal(error))) onSessionLost();
  };
  return new Queries({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 2 && toRefusal(error).code === 'fault/offline',
        retryDelay: 1_000,
      },
    },
  });
}

class Queries extends QueryClient {
  /**
   * Requests in flight count as stale, too. A request that is not replaced by another one, because it is the first or
   * its query is inactive, ends as before, but its response may be older than the change: then it is refetched, or
   * marked stale, once more. In TanStack Query its response would count as fresh, and the change would be lost.
   */
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const kept = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter((query) => query.state.data === undefined || !query.isActive() || filters?.refetchType === 'none');
    const now = super.invalidateQueries(filters, options);
    if (kept.length === 0) return now;
    await Promise.allSettled(kept.map(({ promise }) => promise));
    await super.invalidateQueries({ ...filters, predicate: (query) => kept.some((one) => one === query) }, options);
    await now;
  }
}
