import type { QueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { toRefusal } from '../../api/refusal.ts';
import { fetchSlice } from '../../api/visualizations.ts';
import type { ExplorerSource, Located } from '../../explore/state/source.ts';

/** One visualization of the server, as the explorer asks for it. */
export function sourceOf(id: string, queries: QueryClient): ExplorerSource {
  return {
    slice: (query, signal) => fetchSlice(id, query, signal),
    fields: () =>
      queries.fetchQuery({
        queryKey: ['fields', id],
        queryFn: ({ signal }) => client.visualizations.fields({ id }, { signal }),
        staleTime: Number.POSITIVE_INFINITY,
      }),
    node: (node, signal) => client.visualizations.node({ id, node }, { signal }),
    search: (q, limit, signal) => client.visualizations.search({ id, q, limit }, { signal }),
    locate: (address) =>
      queries.fetchQuery({
        queryKey: ['locate', id, address],
        queryFn: async ({ signal }): Promise<Located> => {
          try {
            return await client.visualizations.locate({ id, address }, { signal });
          } catch (error) {
            if (toRefusal(error).code === 'visualization/node-not-found') return { path: [] };
            throw error;
          }
        },
        staleTime: Number.POSITIVE_INFINITY,
      }),
  };
}
