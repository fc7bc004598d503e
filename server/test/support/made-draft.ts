import { beginDraft } from '@kc/cluster/draft/draft-state';
import { divide, listSettingsOf, prepareList } from '@kc/cluster/pipeline/cluster';
import { madeEncoder, madeKeywords } from '@kc/cluster/test/support/made-keywords';
import { exactNeighbours } from '../../../cluster/test/support/exact-neighbours.ts';
import type { StoredDraft } from '../../src/drafts/stored-draft.ts';

/** A small clustered list with everything that editing needs, made without a language model. */
export async function madeDraft(name = 'made'): Promise<StoredDraft> {
  const { texts, volume } = madeKeywords();
  const list = { texts, volume };
  const settings = listSettingsOf({ shape: 'pages', smallestCluster: 2 });
  const prepared = await prepareList(list, settings, { encoder: madeEncoder, neighbours: exactNeighbours });
  const state = beginDraft(divide(list, prepared, settings), settings.stop);
  return {
    format: 1,
    name,
    context: { list, settings, prepared },
    fields: [{ name: 'search_volume', values: volume }],
    clustering: { method: 'text' },
    state,
  };
}
