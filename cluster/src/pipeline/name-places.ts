import type { Graph } from '../communities/graph.ts';
import { confidenceOf } from '../hierarchy/pages.ts';
import type { Levels } from '../hierarchy/topics.ts';
import { namesOf, termsOf } from '../labels/names.ts';
import { listWordsOf } from '../labels/phrases.ts';
import type { Words } from '../words/words.ts';
import type { Groups, KeywordList } from './keyword-list.ts';
import { type Draft, strayNameBeside, type TopicKind, type TopicTree, topicTreeOf } from './topic-tree.ts';

const mostTerms = 3;

/** The level of a tree: the part that each group is in, −1 for none, and what is above each part. */
type Level = { readonly kind: TopicKind; readonly of: Int32Array; readonly count: number; readonly above: Int32Array };

/**
 * Names the parts of a tree and builds it.
 *
 * @param graph of the groups that confidence is measured on
 * @param seed the stems of the words that most of the list has in common, if this is a part of it
 */
export function namePlaces(
  places: Places,
  groups: Groups,
  list: KeywordList,
  words: Words,
  graph: Graph,
  seed?: ReadonlySet<string>,
): TopicTree {
  const searches = searchesOf(groups, list);
  const drafts: Draft[] = [];
  /** The draft that each group is in on the level in progress, and at the end on its lowest one. */
  const draftOf = new Int32Array(groups.texts.length).fill(-1);
  for (const level of levelsOf(places)) {
    const confidence = hasClusters(level, places) ? undefined : confidenceOf(graph, level);
    const sums = { volume: new Float64Array(level.count), keywords: new Float64Array(level.count) };
    const first = drafts.length;
    level.of.forEach((part, group) => {
      if (part < 0) return;
      sums.volume[part]! += searches[group]!;
      sums.keywords[part]! += groups.weight[group]!;
      draftOf[group] = first + part;
    });
    for (let part = 0; part < level.count; part++) {
      drafts.push({
        name: '',
        kind: level.kind,
        parent: level.above[part]!,
        confidence: Math.round(100 * (confidence?.[part] ?? Number.NaN)),
        terms: [],
        volume: sums.volume[part]!,
        keywords: sums.keywords[part]!,
      });
    }
  }
  const named = withNames(drafts, draftOf, places, groups, words, seed);
  if (draftOf.includes(-1)) addStrays(named, draftOf);
  return topicTreeOf(
    named,
    groups.of.map((group) => draftOf[group]!),
    Float32Array.from(groups.of, (group) => places.similarity[group]!),
  );
}

/** The monthly searches of all keywords of each group; 0 where unknown. */
export function searchesOf(groups: Groups, { volume }: Pick<KeywordList, 'volume'>): Float64Array {
  const searches = new Float64Array(groups.texts.length);
  groups.of.forEach((group, keyword) => {
    searches[group]! += Number.isNaN(volume[keyword]!) ? 0 : volume[keyword]!;
  });
  return searches;
}

const hasClusters = ({ kind }: Level, { pillarOf }: Places): boolean => kind === 'pillar_topic' && !!pillarOf;

function withNames(
  drafts: readonly Draft[],
  topicOf: Int32Array,
  { similarity, pillarOf }: Places,
  groups: Groups,
  words: Words,
  seed: ReadonlySet<string> | undefined,
): Draft[] {
  const topics = { parent: drafts.map(({ parent }) => parent), topicOf };
  const list = listWordsOf(groups.texts, groups.weight, words, seed);
  const { names, isRest } = namesOf(topics, { ...groups, centrality: similarity }, list, words);
  const isCluster = (draft: number): boolean => !pillarOf || drafts[draft]!.kind !== 'pillar_topic';
  const terms = termsOf(topics, list, groups.weight, mostTerms, isCluster);
  return drafts.map((draft, number) => ({
    ...draft,
    name: names[number]!,
    terms: terms[number]!,
    ...(isRest[number] && { isRest: true }),
  }));
}

function levelsOf({ cluster, clusters, subtopic, subtopics, pillarOf, pillars }: Places): Level[] {
  const levels: Level[] = [];
  const top = new Int32Array(Math.max(pillars, clusters)).fill(-1);
  if (pillarOf) {
    const of = cluster.map((one) => (one < 0 ? -1 : pillarOf[one]!));
    levels.push({ kind: 'pillar_topic', of, count: pillars, above: top });
  }
  levels.push({ kind: pillarOf ? 'cluster' : 'pillar_topic', of: cluster, count: clusters, above: pillarOf ?? top });
  if (!subtopic) return levels;
  const clusterOfSubtopic = new Int32Array(subtopics).fill(-1);
  subtopic.forEach((one, group) => {
    if (one >= 0) clusterOfSubtopic[one] = cluster[group]!;
  });
  const shift = pillarOf ? pillars : 0;
  // A cluster with one subtopic only would say the same twice.
  const siblings = new Int32Array(clusters);
  for (const one of clusterOfSubtopic) if (one >= 0) siblings[one]!++;
  const numbers = new Int32Array(subtopics).fill(-1);
  let count = 0;
  clusterOfSubtopic.forEach((one, part) => {
    if (one >= 0 && siblings[one]! > 1) numbers[part] = count++;
  });
  const above = new Int32Array(count);
  numbers.forEach((number, part) => {
    if (number >= 0) above[number] = shift + clusterOfSubtopic[part]!;
  });
  levels.push({ kind: 'subtopic', of: subtopic.map((one) => (one < 0 ? -1 : numbers[one]!)), count, above });
  return levels;
}

function addStrays(drafts: Draft[], draftOf: Int32Array): void {
  const name = strayNameBeside(drafts.filter(({ parent }) => parent < 0).map((draft) => draft.name));
  draftOf.forEach((draft, group) => {
    if (draft < 0) draftOf[group] = drafts.length;
  });
  drafts.push({ name, kind: 'stray', parent: -1, confidence: Number.NaN, terms: [], volume: 0, keywords: 0 });
}

/** Where each group of keywords belongs. */
export type Places = {
  /** −1 for a stray. */
  readonly cluster: Int32Array;
  readonly clusters: number;
  /** −1 for a group that is in a cluster and none of its subtopics; undefined if clusters have none. */
  readonly subtopic: Int32Array | undefined;
  readonly subtopics: number;
  /** The pillar topic of each cluster; undefined if there are too few clusters. */
  readonly pillarOf: Int32Array | undefined;
  readonly pillars: number;
  /** How close each group is to the centre of its subtopic, or else its cluster: a cosine. NaN for strays. */
  readonly similarity: Float32Array;
};

/** The smallest parts of a tree, in one numbering: subtopics, then clusters for what is in no subtopic. */
export type Leaves = { readonly of: Int32Array; readonly count: number };

export function leavesOf({ clusters, subtopics }: Pick<Levels, 'clusters' | 'subtopics'>): Leaves {
  if (!subtopics) return clusters;
  return {
    of: clusters.of.map((cluster, row) =>
      cluster < 0 ? -1 : subtopics.of[row]! < 0 ? subtopics.count + cluster : subtopics.of[row]!,
    ),
    count: subtopics.count + clusters.count,
  };
}
