import { DraftAddresses } from '@kc/cluster/draft/addresses';
import type { Division } from '@kc/cluster/draft/context';
import type { DraftState } from '@kc/cluster/draft/draft-state';
import { branchList } from '@kc/cluster/draft/split';
import { resultsBy } from '@kc/cluster/lists/make-map';
import { choicesOfMap } from '@kc/cluster/lists/plan-update';
import { MapError } from '@kc/cluster/map/map-entries';
import { type AddedResults, resultsIn, withResults } from '@kc/cluster/map/map-results';
import { type KeywordMapFile, readMap } from '@kc/cluster/map/read-map';
import {
  type ClusterTools,
  divide,
  type ListSettings,
  listSettingsOf,
  prepareList,
} from '@kc/cluster/pipeline/cluster';
import type { KeywordList } from '@kc/cluster/pipeline/keyword-list';
import type { DraftReport } from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';
import type { FieldMap } from '@kc/rules/upload';
import { type DetectLanguages, languageOf } from '../clustering/language.ts';
import { refusalOfMap } from '../clustering/list-warnings.ts';
import type { Checksum } from '../storage/checksum.ts';
import type { Storage } from '../storage/storage.ts';
import { unchangedBlocks } from '../storage/whole-objects.ts';
import type { StoredDraft } from './stored-draft.ts';

/** A published map that becomes a draft. */
export type AdjustedMap = {
  /** Its upload. */
  readonly key: string;
  readonly fileBytes: number;
  readonly checksum: Checksum | null;
  /** How its members are read, where that was corrected. */
  readonly fieldMap: FieldMap | null;
  /** The address of the branch that is clustered anew; none to change nothing yet. */
  readonly branch: string | undefined;
};

type AdjustedDraft = {
  readonly draft: StoredDraft;
  readonly report: DraftReport;
  readonly added: AddedResults | undefined;
};

/** Keywords, and the search results of each, best first. */
export type FoundResults = Parameters<typeof withResults>[1];

/** The text of a larger file does not fit into one string. */
const maxBytes = 400 * 2 ** 20;
/**
 * Reads a published map back as a draft, in which all topics are locked. A branch is clustered anew inside itself, as the
 * first operation of the draft, with the settings that the map was made with.
 *
 * @param toolsFor what the branch is clustered with, by the language of the map
 * @param found search results that are added to the map
 */
export async function adjustMap(
  storage: Storage,
  { branch, ...file }: AdjustedMap,
  toolsFor: (language: string) => Promise<ClusterTools>,
  detect?: DetectLanguages,
  found?: FoundResults,
): Promise<AdjustedDraft | { readonly refusal: Refusal }> {
  const map = await readAdjusted(storage, file, found);
  if ('refusal' in map) return map;
  const { name, texts, volume, fields, original } = map;
  const urls = resultsIn(fields);
  const list = { texts, volume, ...(urls && { urls }) };
  const language = await languageOf(texts, undefined, detect);
  const settings = listSettingsOf({ ...choicesOfMap(map.clustering), language });
  const state = allLocked(map.state);
  const division = branch === undefined ? undefined : await divisionOf({ ...map, ...list }, branch, settings, toolsFor);
  if (division && 'refusal' in division) return division;
  const context = { list, settings, prepared: undefined, division };
  const draft: StoredDraft = {
    format: 1,
    name,
    context,
    fields,
    fieldMap: file.fieldMap,
    clustering: origin(map.clustering),
    isOfMap: true,
    original,
    state,
  };
  return { draft, report: { rows: texts.length, keywords: texts.length, repeats: 0, files: [] }, added: map.added };
}

async function divisionOf(
  map: KeywordMapFile & KeywordList,
  branch: string,
  ofMap: ListSettings,
  toolsFor: (language: string) => Promise<ClusterTools>,
): Promise<Division | { readonly refusal: Refusal }> {
  const target = new DraftAddresses(map.state, map.texts, map.name).find(branch);
  if (!target || !('topic' in target)) return { refusal: { code: 'draft/unknown-node' } };
  const part = branchList(map, target.topic);
  const results = resultsBy(part.urls, undefined);
  const settings = { ...ofMap, ...(results && { results }) };
  const tools = await toolsFor(settings.language);
  const tree = divide(part, await prepareList(part, settings, tools), settings, tools.onProgress);
  return { branch: map.state.topics[target.topic]!.id, tree };
}

/** A published map; refused if it is too large, or editing would lose something of it. */
export async function readAdjusted(
  storage: Storage,
  { key, fileBytes, checksum, fieldMap }: Omit<AdjustedMap, 'branch'>,
  found?: FoundResults,
): Promise<(KeywordMapFile & { readonly added: AddedResults | undefined }) | { readonly refusal: Refusal }> {
  if (fileBytes > maxBytes)
    return {
      refusal: { code: 'draft/map-too-large', params: { mb: megabytes(fileBytes), max: megabytes(maxBytes) } },
    };
  try {
    const text = await textAt(storage, key, checksum);
    const added = found && withResults(text, found);
    return { ...readMap(added?.text ?? text, fieldMap ?? {}), added };
  } catch (error) {
    if (error instanceof MapError) return { refusal: refusalOfMap(error) };
    throw error;
  }
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);

const allLocked = (state: DraftState): DraftState => ({
  ...state,
  topics: state.topics.map((topic) => ({ ...topic, isLocked: topic.kind !== 'stray' })),
});

/** The origin of a map, without what a draft writes from its own state. Its stop of granularity stays: updates divide at it. */
function origin(clustering: KeywordMapFile['clustering']): KeywordMapFile['clustering'] {
  const { format: _format, nodes: _nodes, pins: _pins, ...rest } = clustering;
  return rest;
}

async function textAt(storage: Storage, key: string, checksum: Checksum | null): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const block of unchangedBlocks(storage, key, checksum)) text += decoder.decode(block, { stream: true });
  return text + decoder.decode();
}
