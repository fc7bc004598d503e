import { isPreset } from '@kc/pack/vocabulary/choices';
import type { MapUpdate } from '../draft/context.ts';
import type { DraftState } from '../draft/draft-state.ts';
import { granularityStops } from '../hierarchy/settings.ts';
import { isRecord, type JsonRecord } from '../map/map-entries.ts';
import type { KeywordMapFile } from '../map/read-map.ts';
import { uploadFields } from '../merge/upload-fields.ts';
import { type ClusterTools, type ListSettings, listSettingsOf, prepareList } from '../pipeline/cluster.ts';
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

/** Puts next month's lists into the clusters of a map, with the settings that the map was made with. */
export async function planUpdate(
  lists: ReadLists,
  map: KeywordMapFile,
  language: string,
  loadTools: () => Promise<ClusterTools>,
): Promise<PlannedUpdate> {
  const { keywords } = lists;
  const volume = keywords.figures.volume ?? new Float64Array(keywords.text.length).fill(Number.NaN);
  const { list, fields, here, lostVolumes } = joinedList(map, { texts: keywords.text, volume }, uploadFields(keywords));
  const settings = listSettingsOf({ ...choicesOfMap(map.clustering), language, shape: shapeOf(map.clustering) });
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

/** The largest number of keywords that a person may demand of each cluster. */
const largestMinimum = 20;

/**
 * What a person chose for the clusters of a map: the preset, the smallest cluster, and the last stop of granularity. It is checked because anybody can
 * have written it.
 */
export function choicesOfMap({
  settings,
  stop: last,
}: KeywordMapFile['clustering']): Partial<Pick<ListSettings, 'preset' | 'stop' | 'smallestCluster'>> {
  const { preset, stop, smallestCluster }: JsonRecord = isRecord(settings) ? settings : {};
  const stopOfMap = [last, stop].find((one) => isWholeUpTo(granularityStops, one));
  return {
    ...(isPreset(preset) && { preset }),
    ...(isWholeUpTo(granularityStops, stopOfMap) && { stop: stopOfMap }),
    ...(isWholeUpTo(largestMinimum, smallestCluster) && { smallestCluster }),
  };
}

/** New clusters are topics if those of the map are, as with the preset `broad`; otherwise pages, as subtopics would be. */
const shapeOf = ({ settings }: KeywordMapFile['clustering']): 'topics' | 'pages' =>
  isRecord(settings) && settings.shape === 'topics' ? 'topics' : 'pages';

/** Whether it is a whole number from 1 to `most`. */
const isWholeUpTo = (most: number, value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;
