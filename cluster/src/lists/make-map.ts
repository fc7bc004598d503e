import { type DraftContext, keywordsOf } from '../draft/context.ts';
import { draftJson } from '../draft/draft-json.ts';
import { beginDraft, type DraftState } from '../draft/draft-state.ts';
import { measureAgain } from '../draft/measure.ts';
import { splitBranch } from '../draft/split.ts';
import { resultsIn } from '../map/map-results.ts';
import type { KeywordMapFile } from '../map/read-map.ts';
import { type Grouping, groupTree, isNoGroup } from '../merge/grouping.ts';
import type { NamedTexts } from '../merge/keywords.ts';
import { uploadFields } from '../merge/upload-fields.ts';
import {
  type ClusterTools,
  cluster,
  divide,
  forPart,
  forwardOnly,
  type ListSettings,
  listSettingsOf,
  prepareList,
  type SharedResults,
} from '../pipeline/cluster.ts';
import { type KeywordList, someKeywords } from '../pipeline/keyword-list.ts';
import { withPillars } from '../pipeline/pillars-above-clusters.ts';
import { joinedParts, type PreparedPart } from '../pipeline/prepared-list.ts';
import type { TopicTree } from '../pipeline/topic-tree.ts';
import type { Meaning } from '../read/reading.ts';
import type { UploadField } from '../write/upload-json.ts';
import { groupedTree, membersOf } from './grouped-tree.ts';
import { type ChosenGrouping, groupingBy, haveEnoughResults } from './grouping-choice.ts';
import type { ReadLists } from './read-lists.ts';

/** What a person chooses for a map. */
export type MapChoices = Omit<NonNullable<Parameters<typeof listSettingsOf>[0]>, 'results'> & {
  /** The name of the root. */
  readonly name: string;
  readonly grouping: ChosenGrouping;
  /** Whether the keywords of groups such as "Other" are clustered, too. */
  readonly splitsOther?: boolean;
  /** How keywords are grouped by shared result URLs; `off` for never. By default they are if most of them have results. */
  readonly results?: SharedResults | 'off' | undefined;
};

/** What the keywords were grouped by. */
type MapMethod = 'columns' | 'results' | 'text';

export type KeywordMap = {
  readonly method: MapMethod;
  readonly pillars: number;
  readonly clusters: number;
  readonly strays: number;
  /** The upload, in blocks. */
  readonly json: Iterable<Uint8Array>;
};

/** A clustered list that is not written yet, so that it can be edited. */
export type PlannedMap = DraftContext & {
  readonly method: MapMethod;
  readonly state: DraftState;
  /** What is known about the keywords, as columns. */
  readonly fields: readonly UploadField[];
  /** Settings, sources and versions. */
  readonly clustering: Readonly<Record<string, unknown>>;
};

const defaultResults = { sharing: 'smart', least: 3, perKeyword: 10 } as const;

/**
 * Makes a map of lists: pillar topics, clusters and keywords with their figures.
 *
 * @param loadTools is only called if keywords have to be clustered, not if the lists have all groups
 * @throws NoSuchColumnError
 */
export async function makeMap(
  lists: ReadLists,
  choices: MapChoices,
  loadTools: () => Promise<ClusterTools>,
): Promise<KeywordMap> {
  const planned = await planMap(lists, choices, loadTools);
  return { method: planned.method, ...countsOf(planned.state), json: mapJson(planned, planned.state, choices.name) };
}

/** The upload of a state of a planned map. @param name of the root */
export function mapJson(
  { list, fields, clustering, prepared }: PlannedMap,
  state: DraftState,
  name: string,
): Iterable<Uint8Array> {
  return draftJson({ name, texts: list.texts, volume: list.volume, fields, state, clustering, prepared });
}

/** Groups the keywords of lists. */
export async function planMap(
  lists: ReadLists,
  choices: Omit<MapChoices, 'name'>,
  loadTools: () => Promise<ClusterTools>,
): Promise<PlannedMap> {
  const { keywords } = lists;
  const { grouping: chosen, results, splitsOther, ...rest } = choices;
  const volume = keywords.figures.volume ?? new Float64Array(keywords.text.length).fill(Number.NaN);
  const grouping = groupingBy(lists, chosen);
  const taken = new Set<unknown>(grouping?.levels);
  // A column that is a possible level but not used as one is kept as a field.
  const texts = keywords.texts.flatMap((column) =>
    taken.has(column) ? [] : [{ ...column, meaning: keptMeaning(column) }],
  );
  const fields = uploadFields({ ...keywords, texts });
  const urls = resultsIn(fields);
  const byResults = grouping ? undefined : resultsBy(urls, results);
  const method: MapMethod = grouping ? 'columns' : byResults ? 'results' : 'text';
  const asked = listSettingsOf({ ...rest, ...(byResults && { results: byResults }) });
  const hasOthers = splitsOther && grouping !== undefined && grouping.without.length > 0;
  const isComplete = grouping?.are === 'tree' && !hasOthers;
  const tools = isComplete ? undefined : forwardOnly(await loadTools());
  const list: KeywordList = { texts: keywords.text, volume, ...(urls && { urls }) };
  const inGroups =
    grouping?.are === 'pillar-topics' ? await preparedGroups(grouping.levels, list, asked, tools!) : undefined;
  const prepared = inGroups
    ? joinedParts(list, [...inGroups.values()])
    : grouping
      ? undefined
      : await prepareList(list, asked, tools!);
  const clusterSome = tools && ((rows: Int32Array) => cluster(someKeywords(list, rows), asked, tools));
  const inside = (group: number): TopicTree => {
    const { keywords: rows, prepared: part } = inGroups!.get(group)!;
    return divide(someKeywords(list, rows), part, asked, tools!.onProgress);
  };
  const given = grouping && groupedTree(grouping.levels, volume, inGroups && inside);
  const tree = given
    ? await (grouping!.are === 'clusters' ? withPillars(given, list, asked, tools!) : given)
    : divide(list, prepared!, asked, tools!.onProgress);
  const begun = beginDraft(tree, prepared && asked.stop);
  const divided = splitsOther && clusterSome ? await othersDivided(begun, volume, clusterSome) : begun;
  const settings = { ...asked, ...levelsAsIn(tree, asked) };
  // Groups without clusters inside are measured like clusters, as they are after each change of granularity.
  const state = inGroups ? measureAgain({ list, settings, prepared }, divided) : divided;
  const clustering = {
    method,
    ...(grouping && { levels: grouping.levels.map((level) => level.name) }),
    ...(tools && { settings, model: tools.encoder?.id ?? 'none' }),
    ...originOf(lists, countsOf(state).strays),
  };
  return { method, list, settings, prepared, isInGroups: inGroups !== undefined, state, fields, clustering };
}

/** Groups the keywords of a map anew by their search results, if most of them have some, and otherwise by meaning and wording. */
export async function planAgain(
  map: KeywordMapFile,
  { grouping: _grouping, splitsOther: _splitsOther, results, ...rest }: Omit<MapChoices, 'name'>,
  loadTools: () => Promise<ClusterTools>,
): Promise<PlannedMap> {
  const urls = resultsIn(map.fields);
  const byResults = resultsBy(urls, results);
  const asked = listSettingsOf({ ...rest, ...(byResults && { results: byResults }) });
  const list: KeywordList = { texts: map.texts, volume: map.volume, ...(urls && { urls }) };
  const tools = forwardOnly(await loadTools());
  const prepared = await prepareList(list, asked, tools);
  const tree = divide(list, prepared, asked, tools.onProgress);
  const state = beginDraft(tree, asked.stop);
  const settings = { ...asked, ...levelsAsIn(tree, asked) };
  const method = byResults ? 'results' : 'text';
  const { sources, market, excluded } = map.clustering;
  const clustering = {
    method,
    settings,
    model: tools.encoder?.id ?? 'none',
    ...Object.fromEntries(Object.entries({ market, sources, excluded }).filter(([, value]) => value !== undefined)),
  };
  return { method, list, settings, prepared, state, fields: map.fields, clustering };
}

/** Prepares the keywords of each group separately. @returns by the number of the group */
async function preparedGroups(
  levels: Grouping['levels'],
  list: KeywordList,
  settings: ListSettings,
  tools: ClusterTools,
): Promise<ReadonlyMap<number, PreparedPart>> {
  const members = membersOf(groupTree(levels, list.texts.length));
  const all = members.reduce((sum, { length }) => sum + length, 0);
  const parts = new Map<number, PreparedPart>();
  let before = 0;
  for (const [group, keywords] of members.entries()) {
    if (keywords.length === 0) continue;
    const own = forPart(tools, before, keywords.length, all);
    parts.set(group, { keywords, prepared: await prepareList(someKeywords(list, keywords), settings, own) });
    before += keywords.length;
  }
  tools.onProgress?.({ stage: 'neighbours' });
  return parts;
}

/** Clusters the keywords of groups such as "Other" inside those groups. */
async function othersDivided(
  begun: DraftState,
  volume: Float64Array,
  clusterSome: (rows: Int32Array) => Promise<TopicTree>,
): Promise<DraftState> {
  let state = begun;
  for (const { id, kind, name } of begun.topics) {
    const branch = state.topics.findIndex((topic) => topic.id === id);
    // A group that was inside another such group is gone, because that was divided as a whole.
    if (branch < 0 || kind === 'stray' || !isNoGroup(name)) continue;
    state = splitBranch({ volume, state }, branch, await clusterSome(keywordsOf(state, branch)));
  }
  return { ...state, topics: state.topics.map((topic) => ({ ...topic, isLocked: false, isNew: false })) };
}

/** How keywords are grouped by their results: as chosen, or by default if most of them have some; undefined if they are not. */
export function resultsBy(
  urls: readonly (readonly string[])[] | undefined,
  chosen: MapChoices['results'],
): SharedResults | undefined {
  if (chosen === 'off') return undefined;
  return chosen ?? (urls && haveEnoughResults(urls) ? defaultResults : undefined);
}

/** The settings that keep the levels as they are in a tree, so that granularity does not change their number. */
function levelsAsIn({ topics }: TopicTree, { shape }: ListSettings): Pick<ListSettings, 'shape' | 'hasPillars'> {
  const hasPillars = topics.some(({ kind }) => kind === 'cluster');
  if (shape !== 'automatic') return { shape, hasPillars };
  return { shape: topics.some(({ kind }) => kind === 'subtopic') ? 'nested' : 'pages', hasPillars };
}

const keptMeaning = ({ meaning }: NamedTexts): Meaning => (meaning.startsWith('level') ? 'keep' : meaning);

/** The members of `clustering` that say where the keywords come from. */
export const originOf = ({ report, files, market }: ReadLists, strays: number) => ({
  ...(market !== undefined && { market }),
  sources: files.map(({ name, reading, report: read }) => ({
    name,
    vendor: reading.vendor,
    rows: read.rows,
    unreadable: read.unreadable,
    footers: read.footers.length,
    ...(reading.market && { market: reading.market }),
    ...(reading.exported && { exported: reading.exported }),
  })),
  counts: { rows: report.rows, keywords: report.keywords, merged: report.repeats, strays },
});

/** How many topics of each kind there are, and how many keywords are strays. */
export function countsOf({ topics, topicOf }: Pick<TopicTree, 'topics' | 'topicOf'>) {
  const of = (kind: string) => topics.filter((topic) => topic.kind === kind).length;
  const stray = topics.findIndex(({ kind }) => kind === 'stray');
  const strays = topicOf.reduce((sum, topic) => sum + Number(topic === stray), 0);
  return {
    pillars: of('pillar_topic'),
    clusters: of('cluster'),
    subtopics: of('subtopic'),
    strays: stray < 0 ? 0 : strays,
  };
}
