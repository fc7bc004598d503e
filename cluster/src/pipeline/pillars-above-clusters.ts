import { CentreSums } from '../hierarchy/linkage.ts';
import { pillarsAbove } from '../hierarchy/topics.ts';
import { namesOf } from '../labels/names.ts';
import { listWordsOf } from '../labels/phrases.ts';
import { type Words, wordsOf } from '../words/words.ts';
import { type ClusterTools, featuresOf, type ListSettings } from './cluster.ts';
import { type Groups, groupsOf, headAndTail, type KeywordList } from './keyword-list.ts';
import { type Draft, type TopicTree, topicTreeOf } from './topic-tree.ts';

/** Groups of texts at a time whose vectors are held. */
const block = 16_384;

/**
 * Puts pillar topics above the clusters that a list came with, as many as a list that is clustered would have. With few
 * clusters there are none.
 *
 * @param tree of one level, with strays beside it
 */
export async function withPillars(
  tree: TopicTree,
  list: KeywordList,
  settings: ListSettings,
  tools: ClusterTools,
): Promise<TopicTree> {
  tools.onProgress?.({ stage: 'variants' });
  const { groups, head } = headAndTail(groupsOf(list, wordsOf(settings.language)));
  const features = await featuresOf(groups, head, settings, tools);
  // Variants are nearly always in one cluster; the last one stands for them.
  const clusterOf = new Int32Array(groups.texts.length);
  groups.of.forEach((group, keyword) => {
    const topic = tree.topicOf[keyword]!;
    clusterOf[group] = tree.topics[topic]!.kind === 'stray' ? -1 : topic;
  });
  const sums = new CentreSums(features.dimensions.topic, tree.topics.length);
  sums.add(features.take('topic'), clusterOf.subarray(0, head));
  for (let first = head; first < groups.texts.length; first += block) {
    const { topic } = await features.more(groups.texts.slice(first, first + block));
    sums.add(topic, clusterOf.subarray(first, first + block));
  }
  tools.onProgress?.({ stage: 'clusters' });
  const clusters = tree.topics.filter(({ kind }) => kind !== 'stray').length;
  const { pillarOf } = pillarsAbove(() => sums.centres(clusters), clusters, settings);
  tools.onProgress?.({ stage: 'names' });
  return pillarOf ? pillarsNamed(tree, pillarOf, groups, clusterOf, list, wordsOf(settings.language)) : tree;
}

/**
 * Puts named pillar topics above the clusters of a tree.
 *
 * @param tree of one level, strays last
 * @param pillarOf by cluster
 * @param clusterOf by group; −1 for a stray
 */
function pillarsNamed(
  tree: TopicTree,
  pillarOf: Int32Array,
  groups: Groups,
  clusterOf: Int32Array,
  { volume }: KeywordList,
  words: Words,
): TopicTree {
  const count = 1 + pillarOf.reduce((most, pillar) => Math.max(most, pillar), -1);
  const sums = sumsOf(tree, volume);
  const { names, isRest } = namesOf(
    {
      parent: Array.from({ length: count + pillarOf.length }, (_, topic) =>
        topic < count ? -1 : pillarOf[topic - count]!,
      ),
      topicOf: clusterOf.map((cluster) => (cluster < 0 ? -1 : count + cluster)),
      given: Array.from({ length: count + pillarOf.length }, (_, topic) => tree.topics[topic - count]?.name),
    },
    // Who is central is not known: the best keyword is the one that is searched for most.
    { ...groups, centrality: new Float32Array(groups.texts.length) },
    listWordsOf(groups.texts, groups.weight, words),
    words,
  );
  const pillars = Array.from({ length: count }, (_, pillar): Draft => {
    const clusters = [...pillarOf.keys()].filter((cluster) => pillarOf[cluster] === pillar);
    return {
      name: names[pillar]!,
      kind: 'pillar_topic',
      parent: -1,
      confidence: Number.NaN,
      terms: [],
      volume: clusters.reduce((sum, cluster) => sum + sums.volume[cluster]!, 0),
      keywords: clusters.reduce((sum, cluster) => sum + sums.keywords[cluster]!, 0),
      ...(isRest[pillar] && { isRest: true }),
    };
  });
  const below = tree.topics.map(
    (topic, number): Draft => ({
      ...topic,
      ...(topic.kind !== 'stray' && { kind: 'cluster', parent: pillarOf[number]! }),
      volume: sums.volume[number]!,
      keywords: sums.keywords[number]!,
    }),
  );
  const draftOf = tree.topicOf.map((topic) => count + topic);
  return topicTreeOf(pillars.concat(below), draftOf, tree.similarity);
}

function sumsOf({ topics, topicOf }: TopicTree, volume: Float64Array) {
  const sums = { volume: new Float64Array(topics.length), keywords: new Float64Array(topics.length) };
  topicOf.forEach((topic, keyword) => {
    sums.keywords[topic]!++;
    sums.volume[topic]! += Number.isNaN(volume[keyword]!) ? 0 : volume[keyword]!;
  });
  return sums;
}
