import { client } from '../../api/client.ts';
import type { FilterPresetCalls } from '../../explore/model/source.ts';

/** The user's saved filters, stored on the server. */
export const filterPresets: FilterPresetCalls = {
  list: () => client.filterPresets.list(),
  save: (preset) => client.filterPresets.save(preset),
  rename: (id, name) => client.filterPresets.change({ id, name }),
  remove: async (id) => void (await client.filterPresets.remove({ id })),
};
