import { client } from '../../api/client.ts';
import type { SavedTextCalls } from '../../explore/model/source.ts';

/** The user's saved filters, stored on the server. */
export const filterPresets: SavedTextCalls = {
  list: async () => (await client.filterPresets.list()).map(ofFilter),
  save: async ({ name, text }) => ofFilter(await client.filterPresets.save({ name, filter: text })),
  rename: async (id, name) => ofFilter(await client.filterPresets.change({ id, name })),
  remove: async (id) => void (await client.filterPresets.remove({ id })),
};

/** The user's saved scores, stored on the server. */
export const savedScores: SavedTextCalls = {
  list: async () => (await client.scores.list()).map(ofScore),
  save: async ({ name, text }) => ofScore(await client.scores.save({ name, score: text })),
  rename: async (id, name) => ofScore(await client.scores.change({ id, name })),
  remove: async (id) => void (await client.scores.remove({ id })),
};

/** The user's saved views of the data of a visualization, stored on the server. */
export const savedViewsOf = (id: string): SavedTextCalls => ({
  list: async () => (await client.views.list({ id })).map(ofView),
  save: async ({ text, ...view }) => ofView(await client.views.save({ id, ...view, state: text })),
  rename: async (view, name) => ofView(await client.views.rename({ id: view, name })),
  remove: async (view) => void (await client.views.remove({ id: view })),
  order: (ids) => client.views.order({ id, ids: [...ids] }),
});

const ofView = ({ id, name, state }: { id: string; name: string; state: string }) => ({ id, name, text: state });
const ofFilter = ({ id, name, filter }: { id: string; name: string; filter: string }) => ({ id, name, text: filter });
const ofScore = ({ id, name, score }: { id: string; name: string; score: string }) => ({ id, name, text: score });
