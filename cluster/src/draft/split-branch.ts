import type { KeywordList } from '../pipeline/keyword-list.ts';
import type { TopicTree } from '../pipeline/topic-tree.ts';
import { insideOf, keywordsOf } from './context.ts';
import { type DraftState, idOf, type LooseTopic, looseTopics, orderedState } from './draft-state.ts';

/** The keywords of a branch as a list of their own, in the order of the map. */
export function branchList(
  { texts, volume, state }: Pick<KeywordList, 'texts' | 'volume'> & { readonly state: DraftState },
  branch: number,
): KeywordList {
  const keywords = keywordsOf(state, branch);
  return {
    texts: Array.from(keywords, (keyword) => texts[keyword]!),
    volume: Float64Array.from(keywords, (keyword) => volume[keyword]!),
  };
}

/**
 * Divides a branch of a map: its keywords are in the clusters of `tree` afterwards, inside the branch, with stray keywords of
 * its own. Everything else stays as it is, and is locked.
 *
 * @param tree of the keywords of {@link branchList}
 */
export function splitBranch(
  { volume, state }: Pick<KeywordList, 'volume'> & { readonly state: DraftState },
  branch: number,
  tree: TopicTree,
): DraftState {
  const { id: branchId, kind: branchKind } = state.topics[branch]!;
  const isInside = insideOf(state, [branch]);
  const hasPillars = tree.topics.some(({ kind }) => kind === 'cluster');
  const clusterKind = hasPillars ? 'cluster' : 'pillar_topic';
  let next = state.next;
  const made = new Map<number, LooseTopic>();
  tree.topics.forEach(({ parent, ...topic }, number) => {
    // Below a pillar topic there are clusters, with their subtopics; below a cluster there are subtopics only.
    const isCluster = topic.kind === clusterKind || topic.kind === 'stray';
    if (!isCluster && (topic.kind !== 'subtopic' || branchKind !== 'pillar_topic')) return;
    const above = isCluster ? branchId : made.get(parent)!.id;
    const own = branchKind === 'pillar_topic' ? 'cluster' : 'subtopic';
    const kind = topic.kind === 'stray' ? 'stray' : isCluster ? own : 'subtopic';
    const id = idOf(next++);
    made.set(number, { ...topic, id, above, kind, isLocked: false, isRenamed: false, isNew: topic.kind !== 'stray' });
  });
  const placeOf = (topic: number): string => {
    let at = topic;
    while (!made.has(at) && tree.topics[at]!.parent >= 0) at = tree.topics[at]!.parent;
    return made.get(at)?.id ?? branchId;
  };
  const keywords = keywordsOf(state, branch);
  const places = new Map(Array.from(keywords, (keyword, row) => [keyword, placeOf(tree.topicOf[row]!)]));
  const similarity = state.similarity.slice();
  keywords.forEach((keyword, row) => {
    similarity[keyword] = tree.similarity[row]!;
  });
  const kept = looseTopics(state)
    .filter((_, topic) => isInside[topic] === 0 || topic === branch)
    .map((topic) => ({ ...topic, isLocked: topic.kind !== 'stray' && topic.id !== branchId }));
  return orderedState(
    {
      ...state,
      topics: [...kept, ...made.values()],
      topicOf: (keyword) => places.get(keyword) ?? state.topics[state.topicOf[keyword]!]!.id,
      similarity,
      next,
    },
    volume,
  );
}
