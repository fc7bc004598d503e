import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { concernsSession, toRefusal } from './refusal.ts';

/**
 * The cache of what the server said.
 *
 * A refusal is an answer and is never asked for again; only a connection that failed is tried twice more.
 *
 * @param onSessionLost called when an answer says that the session is not what the page believes
 */
export function makeQueryClient(onSessionLost: () => void): QueryClient {
  const watch = (error: unknown) => {
    if (concernsSession(toRefusal(error))) onSessionLost();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: { retry: (failures, error) => failures < 2 && toRefusal(error).code === 'fault/offline' },
    },
  });
}
