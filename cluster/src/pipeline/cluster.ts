import type { Graph } from '../communities/graph.ts';
import type { Encoder } from '../encoder/encoder.ts';
import { dissolveSmall, numberedPages, pageGraph, pagesOf } from '../hierarchy/pages.ts';
import { type ClusterSettings, settingsOf } from '../hierarchy/settings.ts';
import { levelsOf } from '../hierarchy/topics.ts';
import { centralityOf } from '../labels/centrality.ts';
import type { NeighbourSearch } from '../neighbours/neighbours.ts';
import { type Sharing, sharingGroups } from '../shared-urls/groups.ts';
import { resultsOf } from '../shared-urls/results.ts';
import { sharedUrlGraph } from '../shared-urls/shared-url-graph.ts';
import { wordsOf } from '../words/words.ts';
import { type Groups, groupsOf, headAndTail, type KeywordList, singleGroups, someOf } from './keyword-list.ts';
import { listNeighbours } from './list-neighbours.ts';
import { namePlaces } from './name-places.ts';
import { leavesOf, type Places } from './places.ts';
import { assignTail } from './tail.ts';
import { mostInDetail, textFeaturesOf } from './text-features.ts';
import type { TopicTree } from './topic-tree.ts';
import { spread, withTail } from './with-tail.ts';

/** How a list is clustered. */
export type ListSettings = ClusterSettings & {
  /** ISO 639-1 code of most keywords. */
  readonly language: string;
  /** Groups keywords by shared result URLs instead of by meaning and wording. */
  readonly results?: {
    readonly sharing: Sharing;
    /** URLs that keywords share at least, from 1 to 10. */
    readonly least: number;
    /** How many of a keyword's results count, from the first. */
    readonly perKeyword: number;
  };
  /** Treats a short list like a long one, to measure what that costs. */
  readonly force?: {
    /** Clusters part of the list in full and assigns the rest. */
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
  readonly onProgress?: (progress: ClusterProgress) => void;
};

export type ClusterStage = 'variants' | 'meaning' | 'neighbours' | 'clusters' | 'names';

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
  tools.onProgress?.({ stage: 'variants' });
  const words = wordsOf(settings.language);
  const groups = settings.results ? singleGroups(list) : groupsOf(list, words);
  const { places, graph } = settings.results
    ? await placesByResults(list, groups, settings, tools)
    : await placesByText(groups, settings, tools);
  tools.onProgress?.({ stage: 'names' });
  return namePlaces(places, groups, list, words, graph);
}

type Placed = { readonly places: Places; readonly graph: Graph | undefined };

async function placesByText(groups: Groups, settings: ListSettings, tools: ClusterTools): Promise<Placed> {
  const { head, tail } = headAndTail(groups, settings.force?.tail);
  const { texts, weight } = someOf(groups, head);
  const features = await featuresOf(texts, groups.texts, settings, tools);
  tools.onProgress?.({ stage: 'neighbours' });
  const neighbours = listNeighbours(tools.neighbours, features.page, features.topic);
  tools.onProgress?.({ stage: 'clusters' });
  const pages = pagesOf(neighbours.page, weight, settings);
  const topical = { vectors: features.topic, neighbours: neighbours.topic };
  const levels = levelsOf(topical, neighbours.page, pages, weight, settings);
  const graph = pageGraph(neighbours.page, settings);
  const leaves = leavesOf(levels);
  const similarity = centralityOf(features.page, leaves.of, leaves.count);
  const places: Places = {
    cluster: levels.clusters.of,
    clusters: levels.clusters.count,
    subtopic: levels.subtopics?.of,
    subtopics: levels.subtopics?.count ?? 0,
    pillarOf: levels.pillarOf,
    pillars: levels.pillars,
    similarity,
  };
  if (tail.length === 0) return { places, graph };
  const rest = someOf(groups, tail);
  const assigned = await assignTail(rest.texts, rest.weight, { texts, features, leaves }, tools.neighbours, settings);
  return { places: withTail(places, head, tail, assigned), graph: spread(graph, head, groups.texts.length) };
}

async function placesByResults(
  list: KeywordList,
  groups: Groups,
  settings: ListSettings,
  tools: ClusterTools,
): Promise<Placed> {
  const { sharing, least, perKeyword } = settings.results!;
  const graph = sharedUrlGraph(resultsOf(list.urls ?? list.texts.map(() => []), perKeyword), least);
  const found = numberedPages(sharingGroups(graph, list.volume, sharing, settings.seed));
  const clusters = numberedPages(dissolveSmall(found, groups.weight, smallestOfResults));
  const features = await featuresOf(groups.texts, groups.texts, settings, tools);
  tools.onProgress?.({ stage: 'neighbours' });
  const neighbours = listNeighbours(tools.neighbours, features.page, features.topic);
  tools.onProgress?.({ stage: 'clusters' });
  const topical = { vectors: features.topic, neighbours: neighbours.topic };
  const levels = levelsOf(topical, neighbours.page, clusters, groups.weight, { ...settings, shape: 'pages' });
  return {
    places: {
      cluster: clusters.of,
      clusters: clusters.count,
      subtopic: undefined,
      subtopics: 0,
      pillarOf: levels.pillarOf,
      pillars: levels.pillars,
      similarity: centralityOf(features.page, clusters.of, clusters.count),
    },
    graph,
  };
}

function featuresOf(texts: readonly string[], all: readonly string[], settings: ListSettings, tools: ClusterTools) {
  const { encoder, onProgress } = tools;
  const knows = encoder?.languages.includes(settings.language) ? encoder : undefined;
  const report = (done: number) => onProgress?.({ stage: 'meaning', done, total: texts.length });
  if (knows) report(0);
  const isShort = settings.force?.shortVectors || texts.length > mostInDetail;
  return textFeaturesOf(texts, all, wordsOf(settings.language), knows, settings, isShort, report);
}
