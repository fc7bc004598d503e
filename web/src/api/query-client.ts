import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { concernsSession, toRefusal } from './refusal.ts';

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
  return new QueryClient({
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
