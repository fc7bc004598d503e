import { isPreset, type Preset } from '../hierarchy/settings.ts';
import type { KeywordMapFile } from '../map/read-map.ts';
import { uploadFields } from '../merge/upload-fields.ts';
import { type ClusterTools, listSettingsOf, prepareList } from '../pipeline/cluster.ts';
import { type UpdateReview, updateMap } from '../update/update-map.ts';
import { countsOf, originOf, type PlannedMap } from './make-map.ts';
import type { ReadLists } from './read-lists.ts';

/** A map with next month's keywords and figures. */
export type PlannedUpdate = PlannedMap & { readonly review: UpdateReview };

/** Puts next month's lists into the clusters of a map, with the settings that the map was made with. */
export async function planUpdate(
  lists: ReadLists,
  map: KeywordMapFile,
  language: string,
  loadTools: () => Promise<ClusterTools>,
): Promise<PlannedUpdate> {
  const { keywords } = lists;
  const volume = keywords.figures.volume ?? new Float64Array(keywords.text.length).fill(Number.NaN);
  const list = { texts: keywords.text, volume };
  const settings = listSettingsOf({ preset: presetOf(map.clustering), language, shape: 'pages' });
  const tools = await loadTools();
  const prepared = await prepareList(list, settings, tools);
  const { state, review } = updateMap(map, list, prepared, settings);
  const added = new Set(review.added);
  const status = list.texts.map((_, keyword) => (added.has(keyword) ? 'new' : 'kept'));
  const kept = list.texts.length - added.size - state.excludedFrom.size;
  const counts = { new: added.size, kept, gone: review.gone.length };
  const clustering = {
    method: 'text',
    settings,
    model: tools.encoder?.id ?? 'none',
    ...originOf(lists, countsOf(state).strays),
    update: { ...counts, newClusters: review.newClusters.length },
  };
  const fields = [...uploadFields(keywords), { name: 'list_status', values: status }];
  return { method: 'text', list, settings, prepared, state, fields, clustering, review };
}

/** The preset that a map was made with. */
function presetOf({ settings }: Readonly<Record<string, unknown>>): Preset {
  const preset = (settings as { readonly preset?: unknown } | undefined)?.preset;
  return isPreset(preset) ? preset : 'balanced';
}
