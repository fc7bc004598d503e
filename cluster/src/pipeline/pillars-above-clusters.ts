import { CentreSums } from '../hierarchy/linkage.ts';
import { pillarsAbove } from '../hierarchy/topics.ts';
import { namesOf } from '../labels/names.ts';
import { listWordsOf } from '../labels/phrases.ts';
import { type Words, wordsOf } from '../words/words.ts';
import { type ClusterTools, featuresOf, type ListSettings } from './cluster.ts';
import { type Groups, groupsOf, headAndTail, type KeywordList } from './keyword-list.ts';
import { emptyTopic, type Topic, type TopicTree, topicTreeOf } from './topic-tree.ts';

/** The tail is processed in blocks of this many groups, which bounds the memory of their vectors. */
const block = 16_384;

/**
 * Puts pillar topics above the clusters that a list came with. Their number depends on the clusters alone: few clusters get none.
 *
 * @param tree one level of clusters, with or without strays
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
  // Spelling variants are nearly always in one cluster. If they are not, the last one decides.
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
  const count = 1 + pillarOf.reduce((max, pillar) => Math.max(max, pillar), -1);
  const { names, isRest } = namesOf(
    {
      parent: Array.from({ length: count + pillarOf.length }, (_, topic) =>
        topic < count ? -1 : pillarOf[topic - count]!,
      ),
      topicOf: clusterOf.map((cluster) => (cluster < 0 ? -1 : count + cluster)),
      fixedNames: Array.from({ length: count + pillarOf.length }, (_, topic) => tree.topics[topic - count]?.name),
    },
    // With equal centralities, the main keyword is the one with the highest volume.
    { ...groups, centrality: new Float32Array(groups.texts.length) },
    listWordsOf(groups.texts, groups.weight, words),
    words,
  );
  const pillars = names.slice(0, count).map((name, pillar) => ({
    ...emptyTopic(name, 'pillar_topic'),
    ...(isRest[pillar] && { isRest: true }),
  }));
  const below = tree.topics.map(
    (topic, number): Topic => ({
      ...topic,
      ...(topic.kind !== 'stray' && { kind: 'cluster', parent: pillarOf[number]! }),
    }),
  );
  const topics = [...pillars, ...below];
  return topicTreeOf({ topics, topicOf: tree.topicOf.map((topic) => count + topic) }, tree.similarity, volume);
}
