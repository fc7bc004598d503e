import { resultsOf } from '@kc/pack/shared-urls/results';
import type { Sharing } from '@kc/pack/vocabulary/choices';
import { edgesIn } from '../communities/graph.ts';
import { type Encoder, knowsLanguage } from '../encoder/encoder.ts';
import type { MultiplyBytes } from '../features/byte-products.ts';
import type { RowRoom } from '../features/row-products.ts';
import { centralityOf } from '../hierarchy/linkage.ts';
import { dissolveSmall, numberedPages, type Pages, pagesOf } from '../hierarchy/pages.ts';
import { type ClusterSettings, settingsOf } from '../hierarchy/settings.ts';
import { levelsOf } from '../hierarchy/topics.ts';
import { seedStems } from '../labels/phrases.ts';
import { type NeighbourSearch, similarEdges } from '../neighbours/neighbours.ts';
import { sharingGroups } from '../shared-urls/groups.ts';
import { sharedUrlGraph } from '../shared-urls/shared-url-graph.ts';
import { wordsOf } from '../words/words.ts';
import { type Groups, groupsOf, headAndTail, type KeywordList, singleGroups } from './keyword-list.ts';
import { type ListNeighbours, listNeighbours } from './list-neighbours.ts';
import { leavesOf, namePlaces, type Places } from './name-places.ts';
import type { PreparedList } from './prepared-list.ts';
import { maxInDetail, type TextFeatures, textFeaturesOf } from './text-features.ts';
import type { TopicTree } from './topic-tree.ts';

/** How keywords are grouped by their results. */
export type SharedResults = {
  readonly sharing: Sharing;
  /** URLs that keywords share at least, from 1 to 10. */
  readonly least: number;
  /** How many of a keyword's results count, from the first. */
  readonly perKeyword: number;
};

/** How a list is clustered. */
export type ListSettings = ClusterSettings & {
  /** ISO 639-1 code of most keywords. */
  readonly language: string;
  /** Groups keywords by shared result URLs instead of by meaning and wording. */
  readonly results?: SharedResults;
  /** Treats a short list like a long one, to measure what that costs. */
  readonly force?: {
    /** Clusters part of the list in full, and compares the rest with that part only. */
    readonly tail?: boolean;
    readonly shortVectors?: boolean;
  };
};

/** Settings of a preset for English and meaning; what differs may be given. */
export const listSettingsOf = (choices: Partial<Omit<ListSettings, 'granularity'>> = {}): ListSettings => {
  const { preset = 'balanced', language = 'en', results, force, ...rest } = choices;
  return {
    ...settingsOf(preset, rest),
    ...rest,
    language,
    ...(results && { results }),
    ...(force && { force }),
  };
};

/** What runs where the list is clustered. */
export type ClusterTools = {
  /** None groups keywords by wording alone. One that does not know the language is not used. */
  readonly encoder?: Encoder | undefined;
  readonly neighbours: NeighbourSearch;
  /** Makes long lists faster, and nothing else. */
  readonly multiply?: MultiplyBytes | undefined;
  /** Makes long lists faster, and nothing else. */
  readonly room?: RowRoom | undefined;
  readonly onProgress?: (progress: ClusterProgress) => void;
  /** Hears how many keywords of a list are grouped by wording because the encoder does not read their script. */
  readonly onOtherScripts?: (keywords: number) => void;
};

type ClusterStage = 'variants' | 'meaning' | 'neighbours' | 'clusters' | 'names';

export type ClusterProgress = {
  readonly stage: ClusterStage;
  /** Groups of spelling variants that the stage is done with, where it counts them. */
  readonly done?: number;
  readonly total?: number;
};

/** A keyword cluster of search results has at least so many keywords. */
const smallestOfResults = 2;

/**
 * Groups keywords into clusters, clusters into pillar topics, and where there are many, divides clusters into subtopics.
 * Equal lists, settings and vectors give equal trees: nothing depends on the clock, on chance or on the order of batches.
 *
 * @param list every text at most once
 */
export async function cluster(list: KeywordList, settings: ListSettings, tools: ClusterTools): Promise<TopicTree> {
  return divide(list, await prepareList(list, settings, tools), settings, tools.onProgress);
}

/** Finds out who resembles whom: all that takes long. What only granularity changes is left to {@link divide}. */
export async function prepareList(
  list: KeywordList,
  settings: ListSettings,
  tools: ClusterTools,
): Promise<PreparedList> {
  tools.onProgress?.({ stage: 'variants' });
  if (settings.results) {
    const groups = singleGroups(list);
    const shared = sharedUrlClusters(list, groups, settings, settings.results);
    const neighbours = await neighboursOf(groups, list.texts.length, settings, tools);
    return { groups, shared, neighbours, seed: seedOf(groups, settings) };
  }
  const { groups, head } = headAndTail(groupsOf(list, wordsOf(settings.language)), settings.force?.tail);
  const neighbours = await neighboursOf(groups, head, settings, tools);
  return { groups, shared: undefined, neighbours, seed: seedOf(groups, settings) };
}

const seedOf = ({ texts, weight }: Groups, { language }: ListSettings): ReadonlySet<string> =>
  seedStems(texts, weight, wordsOf(language));

function sharedUrlClusters(
  list: KeywordList,
  { weight }: Groups,
  { seed }: ListSettings,
  { sharing, least, perKeyword }: SharedResults,
): NonNullable<PreparedList['shared']> {
  const graph = sharedUrlGraph(resultsOf(list.urls ?? list.texts.map(() => []), perKeyword), least);
  const found = numberedPages(sharingGroups(graph, list.volume, sharing, seed));
  return { graph, clusters: largeEnough(found, weight) };
}

const largeEnough = (found: Pages, weight: Float64Array): Pages =>
  numberedPages(dissolveSmall(found, weight, smallestOfResults));

/** Divides a prepared list as finely as the settings say, and names the parts. */
export function divide(
  list: KeywordList,
  { groups, neighbours, shared, seed }: PreparedList,
  settings: ListSettings,
  onProgress?: (progress: ClusterProgress) => void,
): TopicTree {
  onProgress?.({ stage: 'clusters' });
  const pages = shared
    ? largeEnough(shared.clusters, groups.weight)
    : pagesOf(neighbours.page, groups.weight, settings);
  const places = placesOf(pages, neighbours, groups, shared ? { ...settings, shape: 'pages' } : settings);
  onProgress?.({ stage: 'names' });
  const eachEdge = shared ? edgesIn(shared.graph) : similarEdges(neighbours.page);
  return namePlaces(places, groups, list, wordsOf(settings.language), eachEdge, seed);
}

/** @param head how many groups, from the first, are clustered in full */
async function neighboursOf(
  groups: Groups,
  head: number,
  settings: ListSettings,
  tools: ClusterTools,
): Promise<ListNeighbours> {
  const features = await featuresOf(groups, head, settings, tools);
  tools.onProgress?.({ stage: 'neighbours' });
  return listNeighbours(tools.neighbours, features, groups.texts.slice(head), settings.joinSimilarity, tools.room);
}

/** Prepares the vectors of groups. @param head how many groups, from the first, decide which directions and words count */
export async function featuresOf(
  { texts, weight }: Groups,
  head: number,
  settings: ListSettings,
  { encoder, multiply, onProgress, onOtherScripts }: ClusterTools,
): Promise<TextFeatures> {
  const words = wordsOf(settings.language);
  const knows = encoder && knowsLanguage(encoder, settings.language) ? encoder : undefined;
  const report = (done: number) => onProgress?.({ stage: 'meaning', done, total: texts.length });
  if (knows) {
    report(0);
    onOtherScripts?.(texts.reduce((sum, text, group) => sum + (knows.reads(text) ? 0 : weight[group]!), 0));
  }
  const isShort = settings.force?.shortVectors || head > maxInDetail;
  return textFeaturesOf(texts.slice(0, head), texts, words, knows, settings, isShort, {
    multiply,
    onProgress: report,
  });
}

function placesOf(pages: Pages, neighbours: ListNeighbours, { weight }: Groups, settings: ClusterSettings): Places {
  const topical = { vectors: neighbours.topicVectors, neighbours: neighbours.topic };
  const levels = levelsOf(topical, neighbours.page, pages, weight, settings);
  const leaves = leavesOf(levels);
  return { ...levels, similarity: centralityOf(neighbours.pageVectors, leaves.of, leaves.count) };
}

const order = ['variants', 'meaning', 'neighbours', 'clusters', 'names'] as const satisfies ClusterProgress['stage'][];

/** Tools whose progress never goes back, however many lists are clustered one after the other. */
export function forwardOnly(tools: ClusterTools): ClusterTools {
  const { onProgress } = tools;
  if (!onProgress) return tools;
  let last: ClusterProgress | undefined;
  const isBehind = ({ stage, done }: ClusterProgress): boolean => {
    if (!last) return false;
    if (stage !== last.stage) return order.indexOf(stage) < order.indexOf(last.stage);
    return done === undefined || (last.done !== undefined && done < last.done);
  };
  return {
    ...tools,
    onProgress(progress) {
      if (isBehind(progress)) return;
      last = progress;
      onProgress(progress);
    },
  };
}

/**
 * Tools for a part of a list that is prepared after others: of what they say, the meaning counts as a share of the whole.
 *
 * @param before keywords of the parts before
 * @param own keywords of this part
 * @param all keywords of all parts
 */
export function forPart(tools: ClusterTools, before: number, own: number, all: number): ClusterTools {
  const { onProgress } = tools;
  if (!onProgress) return tools;
  return {
    ...tools,
    onProgress({ stage, done, total }) {
      if (stage === 'variants') onProgress({ stage });
      if (stage !== 'meaning' || !total) return;
      onProgress({ stage, done: before + Math.round((own * (done ?? 0)) / total), total: all });
    },
  };
}
