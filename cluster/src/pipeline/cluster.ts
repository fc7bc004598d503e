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

/** How keywords are grouped by the URLs that their search results have in common. */
export type SharedResults = {
  readonly sharing: Sharing;
  /** The minimum number of URLs that two keywords must share, from 1 to 10. */
  readonly least: number;
  /** Only this many of each keyword's results count, from the first. */
  readonly perKeyword: number;
};

/** The settings of a clustering. */
export type ListSettings = ClusterSettings & {
  /** The ISO 639-1 code of the language of most keywords. */
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

/** The settings of a preset, and what `choices` change in it. By default the language is English, and meaning and wording decide. */
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

/** What the machine provides: the language model, the search for neighbours, faster loops, and callbacks. */
export type ClusterTools = {
  /** Without an encoder, or if it does not know the language of the list, keywords are grouped by wording alone. */
  readonly encoder?: Encoder | undefined;
  readonly neighbours: NeighbourSearch;
  /** A faster multiplication of byte matrices with the same results; plain code by default. */
  readonly multiply?: MultiplyBytes | undefined;
  /** Allocates the vectors where they are compared faster, with the same results; ordinary memory by default. */
  readonly room?: RowRoom | undefined;
  readonly onProgress?: (progress: ClusterProgress) => void;
  /** Called with the number of keywords that are grouped by wording alone, because the encoder does not read their script. */
  readonly onOtherScripts?: (keywords: number) => void;
};

type ClusterStage = 'variants' | 'meaning' | 'neighbours' | 'clusters' | 'names';

export type ClusterProgress = {
  readonly stage: ClusterStage;
  /** How many groups of spelling variants the stage has finished, of `total`; absent for a stage that does not count them. */
  readonly done?: number;
  readonly total?: number;
};

/** The minimum number of keywords of a cluster that is found by shared URLs. Smaller ones are dissolved. */
const smallestOfResults = 2;

/**
 * Groups keywords into clusters and clusters into pillar topics. If there are many clusters, they are divided into subtopics.
 * Equal lists, settings and vectors give equal trees: nothing depends on the clock, on chance or on the order of batches.
 *
 * @param list its texts all differ
 */
export async function cluster(list: KeywordList, settings: ListSettings, tools: ClusterTools): Promise<TopicTree> {
  return divide(list, await prepareList(list, settings, tools), settings, tools.onProgress);
}

/**
 * Computes which keywords resemble each other, which takes nearly all of the time. It does not depend on the granularity, so that a list can be
 * divided again by {@link divide} alone.
 */
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

/** Divides a prepared list at the granularity of the settings, and names the topics. */
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

/**
 * Computes the vectors of groups.
 *
 * @param head how many groups, from the first, the directions of meaning and the vocabulary of co-occurrence are fitted on
 */
export async function featuresOf(
  { texts, weight }: Groups,
  head: number,
  settings: ListSettings,
  { encoder, multiply, onProgress, onOtherScripts }: ClusterTools,
): Promise<TextFeatures> {
  const words = wordsOf(settings.language);
  const usable = encoder && knowsLanguage(encoder, settings.language) ? encoder : undefined;
  const report = (done: number) => onProgress?.({ stage: 'meaning', done, total: texts.length });
  if (usable) {
    report(0);
    onOtherScripts?.(texts.reduce((sum, text, group) => sum + (usable.reads(text) ? 0 : weight[group]!), 0));
  }
  const isShort = settings.force?.shortVectors || head > maxInDetail;
  return textFeaturesOf(texts.slice(0, head), texts, words, usable, settings, isShort, {
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

/** The same tools, but progress is never reported backwards, however many lists are clustered one after the other. */
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
 * Tools for preparing one of several parts of a list. Progress of the stage `meaning` is reported as that of the whole list, and later stages are not
 * reported at all.
 *
 * @param before keywords of the parts that are prepared already
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
