import { settingsOf } from '../hierarchy/settings.ts';
import { divide } from '../pipeline/cluster.ts';
import { insideGroup } from '../pipeline/inside-group.ts';
import { type PreparedList, partOf } from '../pipeline/prepared-list.ts';
import { type Change, type DraftContext, insideOf, lockedTopics, shown } from './context.ts';
import { type DraftState, excluded, idOf, type LooseTopic, looseTopics, orderedState } from './draft-state.ts';
import { measuredAnew } from './measure.ts';

/**
 * Divides each group that a list came with anew, inside itself: no keyword leaves its group. Locked topics stay as they
 * are, and so do keywords that were sent to the strays or excluded.
 */
export function regroupedInside(
  context: DraftContext,
  prepared: PreparedList,
  state: DraftState,
  stop: number,
): Change {
  const { list, settings } = context;
  const isLocked = lockedTopics(state);
  const { granularity } = settingsOf(settings.preset, { stop });
  const similarity = state.similarity.slice();
  const topicOf = Array.from(state.topicOf, (topic) => (topic === excluded ? undefined : state.topics[topic]!.id));
  const made: LooseTopic[] = [];
  const gone = new Set<string>();
  let next = state.next;
  state.topics.forEach(({ parent, kind, id: group }, number) => {
    if (parent >= 0 || kind !== 'pillar_topic' || isLocked[number] === 1) return;
    const isInside = insideOf(state, [number]);
    const free = Int32Array.from(state.topicOf.keys()).filter((keyword) => {
      const lowest = state.topicOf[keyword]!;
      const isHere = lowest !== excluded && isInside[lowest] === 1 && isLocked[lowest] === 0;
      return isHere && state.sentToStrays[keyword] === 0;
    });
    if (free.length === 0) return;
    const part = partOf(list, prepared, free);
    const tree = divide(part.list, part.prepared, { ...settings, stop, granularity });
    const hasLocked = state.topics.some((topic, at) => topic.parent === number && isLocked[at] === 1);
    const inside = insideGroup(tree, hasLocked ? 1 : 2);
    const ids = new Map(inside.topics.map((topic) => [topic.number, idOf(next++)]));
    for (const topic of inside.topics)
      made.push({
        ...tree.topics[topic.number]!,
        kind: topic.kind,
        id: ids.get(topic.number)!,
        above: ids.get(topic.above) ?? group,
        isLocked: false,
        isRenamed: false,
        isNew: false,
      });
    free.forEach((keyword, row) => {
      topicOf[keyword] = ids.get(inside.topicOf[row]!) ?? group;
      similarity[keyword] = tree.similarity[row]!;
    });
    state.topics.forEach((topic, at) => {
      if (at !== number && isInside[at] === 1 && isLocked[at] === 0 && topic.kind !== 'stray') gone.add(topic.id);
    });
  });
  const kept = looseTopics(state).filter(({ id }) => !gone.has(id));
  const ordered = orderedState(
    { ...state, topics: [...kept, ...made], topicOf: (keyword) => topicOf[keyword], similarity, stop, next },
    list.volume,
  );
  const clusters = ordered.topics.filter(({ kind }) => kind === 'cluster').length;
  return {
    state: measuredAnew(context, ordered),
    code: 'draft/granularity',
    params: { stop, clusters: shown(clusters) },
  };
}
