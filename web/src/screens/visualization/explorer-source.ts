import type { Visualization } from '@kc/rules/shapes';
import type { QueryClient } from '@tanstack/react-query';
import { callsAbout } from '../../api/calls-about.ts';
import { client as ownClient } from '../../api/client.ts';
import type { ExplorerSource, Located, SavedTextCalls } from '../../explore/model/source.ts';
import { fileCalls } from './binary-calls.ts';

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
  const calls = callsAbout(client.visualizations, id);
  return {
    ...calls,
    ...fileCalls(id, client !== ownClient),
    // The explorer requests them once, and again when somebody has changed them.
    fields: () => calls.fields({}),
    search: ({ text, mode, ...query }, filter, signal) =>
      calls.search({ q: text, match: mode, ...query, filter }, { signal }),
    histogram: (of, filter, signal, sum) => calls.histogram({ of, sum, filter }, { signal }),
    points: (query, signal) => calls.points(query, { signal }),
    density: ({ filter, level, within, x, y, size }, edges, signal) =>
      calls.density({ level, within, x, y, size, edges, filter }, { signal }),
    locate: (address, filter) =>
      queries.fetchQuery({
        queryKey: ['locate', id, address, filter],
        queryFn: ({ signal }): Promise<Located> => calls.locate({ address, filter }, { signal }),
        staleTime: Number.POSITIVE_INFINITY,
      }),
    ...(comparedOwner !== undefined && { uploads: (signal) => uploadsOf(comparedOwner, signal) }),
    views: savedViewsOf(id),
    plan: callsAbout(ownClient.plans, id),
    filterPresets,
    savedScores,
    warnings: callsAbout(ownClient.warnings, id),
  };
}

async function uploadsOf(userId: string, signal: AbortSignal): Promise<readonly Visualization[]> {
  const all = await ownClient.visualizations.list({ userId }, { signal });
  return all.filter(({ isSample }) => !isSample).sort((one, other) => other.uploadDate - one.uploadDate);
}

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
