import { atStop } from '../hierarchy/settings.ts';
import { divide } from '../pipeline/cluster.ts';
import { type PreparedList, partOf } from '../pipeline/prepared-list.ts';
import { insideGroup, type TopicTree } from '../pipeline/topic-tree.ts';
import {
  type Change,
  type DraftContext,
  insideOf,
  keywordsOf,
  lockedTopics,
  RefusedOperation,
  shown,
} from './context.ts';
import {
  type DraftState,
  excluded,
  idOf,
  type LooseTopic,
  looseTopics,
  newStrayTopic,
  newTopic,
  orderedState,
  strayTopic,
  topicIds,
} from './draft-state.ts';
import { measuredAnew } from './measure.ts';

/**
 * Divides a draft again at another stop of granularity. Locked topics stay as they are, and so do keywords that were sent to the strays or excluded.
 * The number of levels stays, too, because the settings of a draft fix it.
 */
export function regrouped(context: DraftContext, state: DraftState, stop: number): Change {
  const { prepared } = context;
  if (!prepared || state.stop === undefined) throw new RefusedOperation('draft/no-granularity');
  const divided = (context.isInGroups ? dividedInside : dividedAnew)({ ...context, prepared }, state, stop);
  const clusters = divided.topics.filter(({ kind }) => kind === 'cluster').length;
  return { state: divided, code: 'draft/granularity', params: { stop, clusters: shown(clusters) } };
}

/** The keywords that granularity may move, ascending. */
const freeKeywords = (state: DraftState, isFree: (topic: number) => boolean): Int32Array =>
  Int32Array.from(state.topicOf.keys()).filter((keyword) => {
    const topic = state.topicOf[keyword]!;
    return topic !== excluded && state.sentToStrays[keyword] === 0 && isFree(topic);
  });

type Prepared = DraftContext & { readonly prepared: PreparedList };

function dividedPart({ list, prepared, settings }: Prepared, keywords: Int32Array, stop: number): TopicTree {
  const part = partOf(list, prepared, keywords);
  return divide(part.list, part.prepared, atStop(settings, stop));
}

function dividedAnew(context: Prepared, state: DraftState, stop: number): DraftState {
  const isLocked = lockedTopics(state);
  const free = freeKeywords(state, (topic) => isLocked[topic] === 0);
  const tree = dividedPart(context, free, stop);
  let next = state.next;
  const ids = tree.topics.map(() => idOf(next++));
  const strays = strayTopic(state)?.id ?? idOf(next++);
  const found = tree.topics.findIndex(({ kind }) => kind === 'stray');
  if (found >= 0) ids[found] = strays;

  const topicOf = topicIds(state);
  const similarity = state.similarity.slice();
  free.forEach((keyword, row) => {
    topicOf[keyword] = ids[tree.topicOf[row]!];
    similarity[keyword] = tree.similarity[row]!;
  });
  state.sentToStrays.forEach((isSent, keyword) => {
    if (isSent === 1 && topicOf[keyword] !== undefined) topicOf[keyword] = strays;
  });
  const kept = keptTopics(state, isLocked, pillarFinder(context.prepared, state, free, tree, ids));
  const made = tree.topics.map((topic, number) => newTopic(topic, ids[number]!, ids[topic.parent]));
  const others = made.filter(({ id }) => id !== strays);
  const stray = looseTopics(state).find(({ id }) => id === strays) ?? newStrayTopic(strays);
  const topics = [...kept.filter(({ id }) => id !== strays), ...others, stray];
  const ordered = orderedState(
    { ...state, topics, topicOf: (keyword) => topicOf[keyword], similarity, stop, next },
    context.list.volume,
  );
  // The figures of a part ignore everything outside, and those of locked topics are from another stop.
  return free.length === state.topicOf.length ? ordered : measuredAnew(context, ordered);
}

/** Finds the ID of the new pillar topic for a locked cluster. @param isPlaced whether a person put it into its present one */
type PillarFor = (topic: number, isPlaced?: boolean) => string | undefined;

/** The topics that stay: locked ones with everything in them, and those above them if no new pillar topic takes their place. */
function keptTopics(state: DraftState, isLocked: Uint8Array, pillarFor: PillarFor): LooseTopic[] {
  const loose = looseTopics(state);
  const isNeeded = isLocked.slice();
  const moved = loose.map((topic, number) => {
    const { parent, kind } = state.topics[number]!;
    const hasFreeParent = isLocked[number] === 1 && parent >= 0 && isLocked[parent] === 0;
    if (!hasFreeParent) return topic;
    // A pillar topic that a person named stays for the locked clusters in it.
    const above =
      kind === 'cluster' && !state.topics[parent]!.isRenamed ? pillarFor(number, topic.isPlaced) : undefined;
    if (above !== undefined) return { ...topic, above };
    for (let at = parent; at >= 0; at = state.topics[at]!.parent) isNeeded[at] = 1;
    return topic;
  });
  return moved.filter((_, number) => isNeeded[number] === 1);
}

/**
 * Finds the new pillar topic for a locked cluster: the one with the name of its present one, or else the one that has most of its keywords'
 * neighbours, if any. A cluster that a person put into a pillar topic stays there.
 */
function pillarFinder(
  { groups, neighbours }: PreparedList,
  state: DraftState,
  free: Int32Array,
  tree: TopicTree,
  ids: readonly string[],
): PillarFor {
  const hasPillars = tree.topics.some(({ kind }) => kind === 'cluster');
  if (!hasPillars) return () => undefined;
  const byName = new Map(
    tree.topics.flatMap(({ name, kind }, number) => (kind === 'pillar_topic' ? [[name, ids[number]!]] : [])),
  );
  const pillarOfGroup = new Map<number, string>();
  free.forEach((keyword, row) => {
    let topic = tree.topicOf[row]!;
    while (tree.topics[topic]!.parent >= 0) topic = tree.topics[topic]!.parent;
    if (tree.topics[topic]!.kind === 'pillar_topic') pillarOfGroup.set(groups.of[keyword]!, ids[topic]!);
  });
  const { count, to } = neighbours.topic;
  return (topic, isPlaced) => {
    const { parent } = state.topics[topic]!;
    const sameName = byName.get(state.topics[parent]!.name);
    if (sameName !== undefined || isPlaced) return sameName;
    const votes = new Map<string, number>();
    for (const keyword of keywordsOf(state, topic)) {
      const group = groups.of[keyword]!;
      for (let at = group * count; at < (group + 1) * count; at++) {
        const pillar = pillarOfGroup.get(to[at]!);
        if (pillar !== undefined) votes.set(pillar, (votes.get(pillar) ?? 0) + 1);
      }
    }
    let best: string | undefined;
    for (const [pillar, number] of votes) if (best === undefined || number > votes.get(best)!) best = pillar;
    return best;
  };
}

/**
 * Divides each group that a list came with separately: no keyword leaves its group. Locked topics stay as they are, and so do keywords that were sent
 * to the strays or excluded.
 */
function dividedInside(context: Prepared, state: DraftState, stop: number): DraftState {
  const isLocked = lockedTopics(state);
  const similarity = state.similarity.slice();
  const topicOf = topicIds(state);
  const made: LooseTopic[] = [];
  const gone = new Set<string>();
  let next = state.next;
  state.topics.forEach(({ parent, kind, id: group }, number) => {
    if (parent >= 0 || kind !== 'pillar_topic' || isLocked[number] === 1) return;
    const isInside = insideOf(state, [number]);
    const free = freeKeywords(state, (topic) => isInside[topic] === 1 && isLocked[topic] === 0);
    if (free.length === 0) return;
    const tree = dividedPart(context, free, stop);
    const hasLocked = state.topics.some((topic, at) => topic.parent === number && isLocked[at] === 1);
    const inside = insideGroup(tree, hasLocked ? 1 : 2);
    const ids = new Map(inside.topics.map((topic) => [topic.number, idOf(next++)]));
    for (const topic of inside.topics)
      made.push(
        newTopic(
          { ...tree.topics[topic.number]!, kind: topic.kind },
          ids.get(topic.number)!,
          ids.get(topic.above) ?? group,
        ),
      );
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
    context.list.volume,
  );
  return measuredAnew(context, ordered);
}
