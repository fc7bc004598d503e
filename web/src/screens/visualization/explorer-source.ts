import type { QueryClient } from '@tanstack/react-query';
import { callsAbout } from '../../api/calls-about.ts';
import { client as ownClient } from '../../api/client.ts';
import {
  type ComparisonCalls,
  type ExplorerSource,
  type Located,
  type SavedTextCalls,
  unplacedAtATime,
} from '../../explore/model/source.ts';
import {
  addressOf,
  exportUrl,
  fetchHandover,
  fetchRows,
  fetchSlice,
  fetchTable,
  fetchTotals,
  handoverUrl,
  listUrl,
  unplacedUrl,
} from './binary-calls.ts';

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
    rows: (query, part, signal) => fetchRows(at, query, part, signal),
    histogram: (of, filter, signal, sum) =>
      client.visualizations.histogram({ id, of, ...(sum !== undefined && { sum }), ...under(filter) }, { signal }),
    checkScore: ({ filter, ...asked }, signal) =>
      client.visualizations.checkScore({ id, ...asked, ...under(filter) }, { signal }),
    selectionTotals: (selection, signal) => fetchTotals(at, selection, signal),
    points: ({ filter, ...asked }, signal) =>
      client.visualizations.points({ id, ...asked, ...under(filter) }, { signal }),
    density: ({ filter, level, within, x, y, size }, edges, signal) =>
      client.visualizations.density({ id, level, within, x, y, size, edges, ...under(filter) }, { signal }),
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
    views: savedViewsOf(id),
    plan: callsAbout(ownClient.plans, id),
    filterPresets,
    savedScores,
    handover: {
      url: (file, asked) => handoverUrl(at, file, asked),
      text: (file, asked) => fetchHandover(at, file, asked),
    },
    warnings: callsAbout(ownClient.warnings, id),
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
        .map(({ id, rootName, description, uploadDate, exportedOn, keywords, nodes }) => ({
          id,
          name: rootName,
          description,
          date: uploadDate,
          exportedOn,
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

/** The user's saved filters, stored on the server. */
const filterPresets: SavedTextCalls = {
  list: async () => (await ownClient.filterPresets.list()).map(ofFilter),
  save: async ({ name, text }) => ofFilter(await ownClient.filterPresets.save({ name, filter: text })),
  rename: async (id, name) => ofFilter(await ownClient.filterPresets.change({ id, name })),
  remove: async (id) => void (await ownClient.filterPresets.remove({ id })),
};

/** The user's saved scores, stored on the server. */
const savedScores: SavedTextCalls = {
  list: async () => (await ownClient.scores.list()).map(ofScore),
  save: async ({ name, text }) => ofScore(await ownClient.scores.save({ name, score: text })),
  rename: async (id, name) => ofScore(await ownClient.scores.change({ id, name })),
  remove: async (id) => void (await ownClient.scores.remove({ id })),
};

/** The user's saved views of the data of a visualization, stored on the server. */
const savedViewsOf = (id: string): SavedTextCalls => ({
  list: async () => (await ownClient.views.list({ id })).map(ofView),
  save: async ({ text, ...view }) => ofView(await ownClient.views.save({ id, ...view, state: text })),
  rename: async (view, name) => ofView(await ownClient.views.rename({ id: view, name })),
  remove: async (view) => void (await ownClient.views.remove({ id: view })),
  order: (ids) => ownClient.views.order({ id, ids: [...ids] }),
});

const ofView = ({ id, name, state }: { id: string; name: string; state: string }) => ({ id, name, text: state });
const ofFilter = ({ id, name, filter }: { id: string; name: string; filter: string }) => ({ id, name, text: filter });
const ofScore = ({ id, name, score }: { id: string; name: string; score: string }) => ({ id, name, text: score });
