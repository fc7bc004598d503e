import { knowsLanguage } from '../../cluster/src/encoder/encoder.ts';
import { productNeighbours } from '../../cluster/src/neighbours/product-search.ts';
import { type ClusterTools, cluster, type ListSettings, listSettingsOf } from '../../cluster/src/pipeline/cluster.ts';
import { type Groups, groupsOf, type KeywordList } from '../../cluster/src/pipeline/keyword-list.ts';
import { type ListNeighbours, listNeighbours } from '../../cluster/src/pipeline/list-neighbours.ts';
import { maxInDetail, type TextVectors, textFeaturesOf } from '../../cluster/src/pipeline/text-features.ts';
import type { TopicKind, TopicTree } from '../../cluster/src/pipeline/topic-tree.ts';
import { wordsOf } from '../../cluster/src/words/words.ts';
import { builtInEncoder } from '../../server/src/clustering/built-in-encoder.ts';
import { givingBackMemory, loadRowRoom } from '../../server/src/clustering/clustering-memory.ts';
import { modelRuntime } from '../../server/src/clustering/model-runtime.ts';
import { productsBy } from '../../server/src/clustering/product-model.ts';

/**
 * The tools a server has, without its recognition of languages, which takes 190 MiB; without the encoder, wording decides
 * alone.
 */
export async function toolsOf(withEncoder = true): Promise<ClusterTools> {
  const runtime = await modelRuntime();
  const multiply = await productsBy(runtime);
  return {
    encoder: withEncoder ? await builtInEncoder(runtime) : undefined,
    neighbours: productNeighbours(multiply),
    multiply,
    room: loadRowRoom(),
    onProgress: givingBackMemory(() => undefined),
  };
}

export const treeOf = async (
  list: KeywordList,
  choices: Partial<Omit<ListSettings, 'granularity'>>,
  withEncoder = true,
): Promise<TopicTree> => cluster(list, listSettingsOf(choices), await toolsOf(withEncoder));

/** The topic of a kind that each keyword is in; −1 for none. Without pillar topics above them, clusters have their kind. */
export function topicsOfKind({ topics, topicOf }: TopicTree, kind: TopicKind): Int32Array {
  const isFlat = !topics.some((topic) => topic.kind === 'cluster');
  const sought = isFlat && kind === 'cluster' ? 'pillar_topic' : kind;
  return topicOf.map((lowest) => {
    let topic = lowest;
    while (topic >= 0 && topics[topic]!.kind !== sought) topic = topics[topic]!.parent;
    return topic;
  });
}

/** Our vectors and neighbours, for others to group. */
export async function groundOf(
  list: KeywordList,
  language: string,
): Promise<{ groups: Groups; vectors: TextVectors; neighbours: ListNeighbours; settings: ListSettings }> {
  const settings = listSettingsOf({ language });
  const { encoder, neighbours, multiply } = await toolsOf();
  const words = wordsOf(settings.language);
  const groups = groupsOf(list, words);
  const isShort = groups.texts.length > maxInDetail;
  const knows = encoder && knowsLanguage(encoder, settings.language) ? encoder : undefined;
  const features = await textFeaturesOf(groups.texts, groups.texts, words, knows, settings, isShort, { multiply });
  const vectors = { page: features.take('page'), topic: features.take('topic') };
  const kept = { ...features, take: (which: keyof TextVectors) => vectors[which] };
  return { groups, vectors, settings, neighbours: await listNeighbours(neighbours, kept, [], 0) };
}
