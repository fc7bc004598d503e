import type { QueryClient } from '@tanstack/react-query';
import { client as ownClient } from '../../api/client.ts';
import { addressOf, listUrl } from '../../api/list-address.ts';
import { exportUrl, fetchSlice, fetchTable, unplacedUrl } from '../../api/visualizations.ts';
import {
  type ComparisonCalls,
  type ExplorerSource,
  type Located,
  unplacedAtATime,
} from '../../explore/model/source.ts';

/**
 * The explorer's data source for one visualization on the server.
 *
 * @param comparedOwner the owner of the uploads that it can be compared with; undefined if it cannot be
 * @param client other calls of the same names, for the visitors of a link, whose ID is then `id`
 */
export function sourceOf(
  id: string,
  queries: QueryClient,
  comparedOwner?: string,
  client: Pick<typeof ownClient, 'visualizations'> = ownClient,
): ExplorerSource {
  const at = addressOf(id, client !== ownClient);
  return {
    slice: (query, signal, onBytes) => fetchSlice(at, query, signal, onBytes),
    // The explorer asks once, and again when somebody has changed them.
    fields: () => client.visualizations.fields({ id }),
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
    notInHierarchyUrl: (form) => unplacedUrl(at, form),
    search: ({ text, mode, ...query }, filter, signal) =>
      client.visualizations.search({ id, q: text, match: mode, ...query, ...under(filter) }, { signal }),
    exportUrl: (form, node, filter, kind) => exportUrl(at, form, node, filter, kind),
    // Most visits show no list.
    rows: async (query, part, signal) => (await import('../../api/levels.ts')).fetchRows(at, query, part, signal),
    levels: async () => (await import('./levels-of.ts')).levelsOf(id, at, client),
    listUrl: (query, columns) => listUrl(at, query, columns),
    table: (nodes, filter, columns) => fetchTable(at, nodes, filter, columns),
    locate: (address, filter) =>
      queries.fetchQuery({
        queryKey: ['locate', id, address, filter],
        queryFn: ({ signal }): Promise<Located> =>
          client.visualizations.locate({ id, address, ...under(filter) }, { signal }),
        staleTime: Number.POSITIVE_INFINITY,
      }),
    ...(comparedOwner !== undefined && { comparison: comparisonOf(id, comparedOwner) }),
    views: async () => (await import('./saved-of.ts')).savedViewsOf(id),
    plan: async () => (await import('./plan-of.ts')).planCallsOf(id),
    filterPresets: async () => (await import('./saved-of.ts')).filterPresets,
    savedScores: async () => (await import('./saved-of.ts')).savedScores,
    handover: async () => (await import('./handover-of.ts')).handoverCallsOf(id),
    warnings: async () => (await import('./warnings-of.ts')).warningCallsOf(id),
  };
}

function comparisonOf(id: string, userId: string): ComparisonCalls {
  const since = ({ vs, filter, thresholds }: { vs: string; filter: string; thresholds: string }) => ({
    id,
    vs,
    ...under(filter),
    ...(thresholds !== '' && { ct: thresholds }),
  });
  return {
    async uploads(signal) {
      const all = await ownClient.visualizations.list({ userId }, { signal });
      return all
        .filter(({ isSample }) => !isSample)
        .map(({ id, rootName, description, uploadDate, keywords, nodes }) => ({
          id,
          name: rootName,
          description,
          date: uploadDate,
          // In some files only the hierarchy names keywords.
          keywords: keywords || nodes,
        }))
        .sort((one, other) => other.date - one.date);
    },
    changes: ({ level, kind, from, within, ...query }, signal) =>
      ownClient.visualizations.changes({ ...since(query), level, kind, from, within }, { signal }),
    change: ({ node, ...query }, signal) => ownClient.visualizations.change({ ...since(query), node }, { signal }),
  };
}

/** Without a filter, the parameter is omitted, so that the cached responses are found again. */
const under = (filter: string) => (filter === '' ? {} : { filter });
