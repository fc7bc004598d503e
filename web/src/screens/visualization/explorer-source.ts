import type { QueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { toRefusal } from '../../api/refusal.ts';
import { exportUrl, fetchSlice, fetchTable, unplacedUrl } from '../../api/visualizations.ts';
import { type ExplorerSource, type Located, unplacedAtATime } from '../../explore/model/source.ts';

/** The explorer's data source for one visualization on the server. */
export function sourceOf(id: string, queries: QueryClient): ExplorerSource {
  return {
    slice: (query, signal, onBytes) => fetchSlice(id, query, signal, onBytes),
    fields: () =>
      queries.fetchQuery({
        queryKey: ['fields', id],
        queryFn: ({ signal }) => client.visualizations.fields({ id }, { signal }),
        staleTime: Number.POSITIVE_INFINITY,
      }),
    histogram: (of, filter, signal) => client.visualizations.histogram({ id, of, ...under(filter) }, { signal }),
    node: (node, filter, signal) => client.visualizations.node({ id, node, ...under(filter) }, { signal }),
    keywords: ({ node, filter, after, limit }, signal) =>
      client.visualizations.keywords(
        { id, node, ...(after !== undefined && { after }), ...(limit && { limit }), ...under(filter) },
        signal ? { signal } : {},
      ),
    members: (node, filter, signal) => client.visualizations.members({ id, node, ...under(filter) }, { signal }),
    notInHierarchy: ({ mode, text }, skip, signal) =>
      client.visualizations.notInHierarchy(
        { id, skip, limit: unplacedAtATime, ...(text !== '' && { q: text, match: mode }) },
        { signal },
      ),
    notInHierarchyKeyword: (row, signal) => client.visualizations.notInHierarchyKeyword({ id, row }, { signal }),
    notInHierarchyUrl: (form) => unplacedUrl(id, form),
    search: ({ text, mode, ...query }, filter, signal) =>
      client.visualizations.search({ id, q: text, match: mode, ...query, ...under(filter) }, { signal }),
    exportUrl: (form, node, filter, kind) => exportUrl(id, form, node, filter, kind),
    table: (nodes, filter) => fetchTable(id, nodes, filter),
    locate: (address, filter) =>
      queries.fetchQuery({
        queryKey: ['locate', id, address, filter],
        queryFn: async ({ signal }): Promise<Located> => {
          try {
            return await client.visualizations.locate({ id, address, ...under(filter) }, { signal });
          } catch (error) {
            if (toRefusal(error).code === 'visualization/node-not-found') return { path: [] };
            throw error;
          }
        },
        staleTime: Number.POSITIVE_INFINITY,
      }),
    views: async () => (await import('./views-of.ts')).viewsOf(id),
  };
}

/** Without a filter, the parameter is omitted, so that the cached responses are found again. */
const under = (filter: string) => (filter === '' ? {} : { filter });
