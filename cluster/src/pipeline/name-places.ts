import type { EachEdge } from '../communities/graph.ts';
import { confidenceOf, type Pages } from '../hierarchy/pages.ts';
import type { Levels } from '../hierarchy/topics.ts';
import { namesOf, termsOf } from '../labels/names.ts';
import { listWordsOf } from '../labels/phrases.ts';
import type { Words } from '../words/words.ts';
import type { Groups, KeywordList } from './keyword-list.ts';
import { emptyTopic, type Topic, type TopicKind, type TopicTree, topicTreeOf } from './topic-tree.ts';

const maxTerms = 3;

/** The pillar topic, cluster and subtopic of each group of keywords. */
export type Places = Levels & {
  /** The cosine of each group with the centre of its subtopic or, without one, of its cluster. NaN for strays. */
  readonly similarity: Float32Array;
};

/** One level of a tree: the part (the topic on this level) of each group, −1 for none, and the number of the topic above each part, −1 for none. */
type Level = { readonly kind: TopicKind; readonly of: Int32Array; readonly count: number; readonly above: Int32Array };

/**
 * Builds a tree of named topics.
 *
 * @param eachEdge of the graph of the groups; confidence is the share of its weight that stays inside a topic
 * @param seed stems of the words that most keywords of the whole list have, if this is a part of it
 */
export function namePlaces(
  places: Places,
  groups: Groups,
  { volume }: KeywordList,
  words: Words,
  eachEdge: EachEdge,
  seed?: ReadonlySet<string>,
): TopicTree {
  const { topics, topicOf } = placedTopics(places, groups, eachEdge);
  return topicTreeOf(
    {
      topics: withNames(topics, topicOf, places, groups, words, seed),
      topicOf: groups.of.map((group) => topicOf[group]!),
    },
    Float32Array.from(groups.of, (group) => places.similarity[group]!),
    volume,
  );
}

/** The topics of all levels, without names. */
function placedTopics(places: Places, groups: Groups, eachEdge: EachEdge) {
  const topics: Topic[] = [];
  /** The lowest topic of each group. */
  const topicOf = new Int32Array(groups.texts.length).fill(-1);
  const levels = levelsIn(places);
  const hasClusters = ({ kind }: Level): boolean => kind === 'pillar_topic' && places.pillarOf !== undefined;
  const measured = levels.filter((level) => !hasClusters(level));
  const confidence = confidenceOf(eachEdge, measured);
  for (const level of levels) {
    const own = confidence[measured.indexOf(level)];
    const first = topics.length;
    level.of.forEach((part, group) => {
      if (part >= 0) topicOf[group] = first + part;
    });
    for (let part = 0; part < level.count; part++)
      topics.push({
        ...emptyTopic('', level.kind, level.above[part]!),
        confidence: Math.round(100 * (own?.[part] ?? Number.NaN)),
      });
  }
  return { topics, topicOf };
}

function withNames(
  topics: readonly Topic[],
  topicOf: Int32Array,
  { similarity, pillarOf }: Places,
  groups: Groups,
  words: Words,
  seed: ReadonlySet<string> | undefined,
): Topic[] {
  const toName = { parent: topics.map(({ parent }) => parent), topicOf };
  const list = listWordsOf(groups.texts, groups.weight, words, seed);
  const { names, isRest } = namesOf(toName, { ...groups, centrality: similarity }, list, words);
  const isCluster = (topic: number): boolean => !pillarOf || topics[topic]!.kind !== 'pillar_topic';
  const terms = termsOf(toName, list, groups.weight, maxTerms, isCluster);
  return topics.map((topic, number) => ({
    ...topic,
    name: names[number]!,
    terms: terms[number]!,
    ...(isRest[number] && { isRest: true }),
  }));
}

function levelsIn({ clusters, subtopics, pillarOf, pillars }: Places): Level[] {
  const levels: Level[] = [];
  const top = new Int32Array(Math.max(pillars, clusters.count)).fill(-1);
  if (pillarOf) {
    const of = clusters.of.map((cluster) => (cluster < 0 ? -1 : pillarOf[cluster]!));
    levels.push({ kind: 'pillar_topic', of, count: pillars, above: top });
  }
  levels.push({ kind: pillarOf ? 'cluster' : 'pillar_topic', ...clusters, above: pillarOf ?? top });
  if (!subtopics) return levels;
  const clusterOf = new Int32Array(subtopics.count).fill(-1);
  subtopics.of.forEach((subtopic, group) => {
    if (subtopic >= 0) clusterOf[subtopic] = clusters.of[group]!;
  });
  const siblings = new Int32Array(clusters.count);
  for (const cluster of clusterOf) if (cluster >= 0) siblings[cluster]!++;
  const above: number[] = [];
  // A single subtopic is left out: it would repeat its cluster.
  const numbers = clusterOf.map((cluster) =>
    cluster >= 0 && siblings[cluster]! > 1 ? above.push(pillars + cluster) - 1 : -1,
  );
  levels.push({
    kind: 'subtopic',
    of: subtopics.of.map((subtopic) => (subtopic < 0 ? -1 : numbers[subtopic]!)),
    count: above.length,
    above: Int32Array.from(above),
  });
  return levels;
}

/** The lowest part of each group, in one numbering: the subtopics, then the clusters for groups that are in no subtopic. */
export function leavesOf({ clusters, subtopics }: Pick<Levels, 'clusters' | 'subtopics'>): Pages {
  if (!subtopics) return clusters;
  return {
    of: clusters.of.map((cluster, row) =>
      cluster < 0 ? -1 : subtopics.of[row]! < 0 ? subtopics.count + cluster : subtopics.of[row]!,
    ),
    count: subtopics.count + clusters.count,
  };
}
