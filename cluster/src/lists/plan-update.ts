import { isPreset, type Preset } from '@kc/pack/vocabulary/choices';
import type { MapUpdate } from '../draft/context.ts';
import type { DraftState } from '../draft/draft-state.ts';
import type { KeywordMapFile } from '../map/read-map.ts';
import { uploadFields } from '../merge/upload-fields.ts';
import { type ClusterTools, listSettingsOf, prepareList } from '../pipeline/cluster.ts';
import { joinedList, updateMap } from '../update/update-map.ts';
import { countsOf, originOf, type PlannedMap } from './make-map.ts';
import type { ReadLists } from './read-lists.ts';

/** A map that was updated with next month's keywords and figures. */
export type PlannedUpdate = PlannedMap & { readonly counts: UpdateCounts };

/**
 * How many keywords an update kept, added and lost, how many of the new ones are uncertain, how many clusters are new, and how many kept
 * keywords have a search volume in the map but none in the new list.
 */
export type UpdateCounts = Readonly<
  Record<'kept' | 'new' | 'gone' | 'uncertain' | 'newClusters' | 'lostVolumes', number>
>;

/** Puts next month's lists into the clusters of a map, with the preset that the map was made with. */
export async function planUpdate(
  lists: ReadLists,
  map: KeywordMapFile,
  language: string,
  loadTools: () => Promise<ClusterTools>,
): Promise<PlannedUpdate> {
  const { keywords } = lists;
  const volume = keywords.figures.volume ?? new Float64Array(keywords.text.length).fill(Number.NaN);
  const { list, fields, here, lostVolumes } = joinedList(map, { texts: keywords.text, volume }, uploadFields(keywords));
  const settings = listSettingsOf({ preset: presetOf(map.clustering), language, shape: 'pages' });
  const tools = await loadTools();
  const prepared = await prepareList(list, settings, tools);
  const { state, update } = updateMap(map, list, here, prepared, settings);
  const added = new Set(update.added);
  const statusOf = (row: number): string => (added.has(row) ? 'new' : row < here ? 'kept' : 'gone');
  const counts = { ...countsOfUpdate(state, update, here), lostVolumes };
  const { excluded, moves } = map.clustering;
  const clustering = {
    method: 'text',
    settings,
    model: tools.encoder?.id ?? 'none',
    ...originOf(lists, countsOf(state).strays),
    update: counts,
    // Drafts of it remember what was left out of the map.
    ...(excluded !== undefined && { excluded }),
    ...(moves !== undefined && { moves }),
  };
  const status = { name: 'list_status', values: list.texts.map((_, row) => statusOf(row)) };
  return { method: 'text', list, settings, prepared, state, fields: [...fields, status], clustering, update, counts };
}

function countsOfUpdate(
  { topics, excludedFrom, goneFrom }: DraftState,
  { added, doubts }: MapUpdate,
  here: number,
): Omit<UpdateCounts, 'lostVolumes'> {
  return {
    kept: here - added.length - excludedFrom.size,
    new: added.length,
    gone: goneFrom.size,
    uncertain: doubts.size,
    newClusters: topics.filter(({ isNew }) => isNew).length,
  };
}

/** The preset that a map was made with. */
function presetOf({ settings }: Readonly<Record<string, unknown>>): Preset {
  const preset = (settings as { readonly preset?: unknown } | undefined)?.preset;
  return isPreset(preset) ? preset : 'balanced';
}
