import { client } from '../../api/client.ts';
import type { SavedViewCalls } from '../../explore/model/source.ts';

/** The user's saved views of the data of a visualization, stored on the server. */
export function viewsOf(id: string): SavedViewCalls {
  return {
    list: () => client.views.list({ id }),
    save: (view) => client.views.save({ id, ...view }),
    order: (ids) => client.views.order({ id, ids: [...ids] }),
    rename: (view, name) => client.views.rename({ id: view, name }),
    remove: async (view) => void (await client.views.remove({ id: view })),
  };
}
