import { atStop } from '../hierarchy/settings.ts';
import type { NamingWay } from '../labels/names.ts';
import { divide } from '../pipeline/cluster.ts';
import { type PreparedList, partOf } from '../pipeline/prepared-list.ts';
import { insideGroup, type TopicTree } from '../pipeline/topic-tree.ts';
import { addressesOf, type DraftAddresses, type Target } from './addresses.ts';
import {
  excludeFromMap,
  mergeTopics,
  moveTo,
  nameTopics,
  renameTopic,
  restoreExcluded,
  type Selected,
  sendToStrays,
  setLocked,
} from './changes.ts';
import {
  type Change,
  type DraftContext,
  formatCount,
  insideOf,
  keywordsOf,
  lockedTopics,
  type OperationRefusal,
  RefusedOperation,
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
import { measureAgain } from './measure.ts';
import { accept, keepGone, type Reviewed, type ReviewTab } from './review.ts';
import { splitBranch, splitTopic } from './split.ts';

/** A change of a draft. Nodes are named by their addresses in the revision before it. */
export type DraftOperation =
  | { readonly kind: 'rename'; readonly node: string; readonly name: string }
  | { readonly kind: 'name'; readonly nodes: readonly string[]; readonly by: NamingWay }
  | { readonly kind: 'merge'; readonly nodes: readonly string[] }
  /** `sharedUrls`: divides by search results; keywords that share at least this many URLs stay together. */
  | { readonly kind: 'split'; readonly node: string; readonly sharedUrls?: number | undefined }
  | {
      readonly kind: 'move';
      readonly nodes: readonly string[];
      readonly to: string | { readonly newPillar: string };
    }
  | { readonly kind: 'lock' | 'unlock' | 'strays' | 'exclude'; readonly nodes: readonly string[] }
  | { readonly kind: 'restore' | 'keep'; readonly keywords: 'all' | readonly string[] }
  /** `of`: addresses, or texts of keywords for the tab `gone`. */
  | { readonly kind: 'accept'; readonly tab: ReviewTab; readonly of: 'all' | readonly string[] }
  | { readonly kind: 'granularity'; readonly stop: number }
  /** Puts the new clusters of a branch into it: the first operation of a draft that divides a branch. */
  | { readonly kind: 'divide' };

/** What an operation did: a code of the catalogue of texts with its parameters, and the node to go to. */
export type OperationEffect = {
  readonly code: string;
  readonly params?: Readonly<Record<string, string | number>>;
  /** Its address in the new revision. */
  readonly node?: string;
};

export type Operated =
  | { readonly state: DraftState; readonly effect: OperationEffect }
  | { readonly refusal: OperationRefusal };

/**
 * Applies an operation. The given state is not changed.
 *
 * @param rootName the name of the root, from which addresses are computed
 */
export function applyOperation(
  context: DraftContext,
  state: DraftState,
  operation: DraftOperation,
  rootName: string,
): Operated {
  try {
    const addresses = addressesOf(state, context.list.texts, rootName);
    const { state: next, code, params, focus } = change(context, state, operation, addresses);
    const topic = focus === undefined ? -1 : next.topics.findIndex(({ id }) => id === focus);
    const node = topic < 0 ? undefined : addressesOf(next, context.list.texts, rootName).ofTopic(topic);
    return { state: next, effect: { code, ...(params && { params }), ...(node !== undefined && { node }) } };
  } catch (error) {
    if (error instanceof RefusedOperation) return { refusal: error.code };
    throw error;
  }
}

function change(
  context: DraftContext,
  state: DraftState,
  operation: DraftOperation,
  addresses: DraftAddresses,
): Change {
  const found = (address: string): Target => {
    const target = addresses.find(address);
    if (!target) throw new RefusedOperation('draft/unknown-node');
    return target;
  };
  const topic = (address: string): number => {
    const target = found(address);
    if (!('topic' in target)) throw new RefusedOperation('draft/not-here');
    return target.topic;
  };
  const selected = (nodes: readonly string[]): Selected => {
    const targets = [...new Set(nodes)].map(found);
    return {
      topics: targets.flatMap((target) => ('topic' in target ? [target.topic] : [])),
      keywords: targets.flatMap((target) => ('keyword' in target ? [target.keyword] : [])),
    };
  };
  const reviewed = ({ tab, of }: Extract<DraftOperation, { kind: 'accept' }>): Reviewed => {
    if (of === 'all') return of;
    if (tab === 'gone') return rowsWith(context, of);
    const targets = selected(of);
    return tab === 'clusters' ? targets.topics : targets.keywords;
  };
  switch (operation.kind) {
    case 'rename':
      return renameTopic(context, state, topic(operation.node), operation.name);
    case 'name':
      return nameTopics(context, state, selected(operation.nodes), operation.by);
    case 'merge':
      return mergeTopics(context, state, [...new Set(operation.nodes)].map(topic));
    case 'split':
      return splitTopic(context, state, topic(operation.node), operation.sharedUrls);
    case 'move': {
      const to = typeof operation.to === 'string' ? topic(operation.to) : operation.to;
      return moveTo(context, state, selected(operation.nodes), to);
    }
    case 'lock':
    case 'unlock':
      return setLocked(context, state, selected(operation.nodes), operation.kind === 'lock');
    case 'strays':
      return sendToStrays(context, state, selected(operation.nodes));
    case 'exclude':
      return excludeFromMap(context, state, selected(operation.nodes));
    case 'restore':
      return restoreExcluded(context, state, operation.keywords);
    case 'keep':
      return keepGone(context, state, operation.keywords);
    case 'accept':
      return accept(context, state, operation.tab, reviewed(operation));
    case 'granularity':
      return regroup(context, state, operation.stop);
    case 'divide':
      return divideOnce(context, state);
  }
}

function divideOnce({ division, list }: DraftContext, state: DraftState): Change {
  const branch = state.topics.findIndex(({ id }) => id === division?.branch);
  if (!division || branch < 0) throw new RefusedOperation('draft/not-here');
  const next = splitBranch({ volume: list.volume, state }, branch, division.tree);
  const at = next.topics.findIndex(({ id }) => id === division.branch);
  const parts = next.topics.filter(({ parent, kind }) => parent === at && kind !== 'stray').length;
  const params = { name: state.topics[branch]!.name, parts };
  return { state: next, code: 'draft/split', params, focus: division.branch };
}

/** The keywords with these texts. */
function rowsWith({ list: { texts } }: DraftContext, wanted: readonly string[]): number[] {
  const those = new Set(wanted);
  return [...texts.keys()].filter((keyword) => those.has(texts[keyword]!));
}

/**
 * Divides a draft again at another stop of granularity. Locked topics stay as they are, and so do keywords that were sent to the strays or excluded.
 * The number of levels stays, too, because the settings of a draft fix it.
 */
function regroup(context: DraftContext, state: DraftState, stop: number): Change {
  const { prepared } = context;
  if (!prepared || state.stop === undefined) throw new RefusedOperation('draft/no-granularity');
  const divided = (context.isInGroups ? divideInsideGroups : divideAnew)({ ...context, prepared }, state, stop);
  const clusters = divided.topics.filter(({ kind }) => kind === 'cluster').length;
  return { state: divided, code: 'draft/granularity', params: { stop, clusters: formatCount(clusters) } };
}

/** The keywords that granularity may move, ascending. */
const freeKeywords = (state: DraftState, isFree: (topic: number) => boolean): Int32Array =>
  Int32Array.from(state.topicOf.keys()).filter((keyword) => {
    const topic = state.topicOf[keyword]!;
    return topic !== excluded && state.sentToStrays[keyword] === 0 && isFree(topic);
  });

type Prepared = DraftContext & { readonly prepared: PreparedList };

function dividePart({ list, prepared, settings }: Prepared, keywords: Int32Array, stop: number): TopicTree {
  const part = partOf(list, prepared, keywords);
  return divide(part.list, part.prepared, atStop(settings, stop));
}

function divideAnew(context: Prepared, state: DraftState, stop: number): DraftState {
  const isLocked = lockedTopics(state);
  const free = freeKeywords(state, (topic) => isLocked[topic] === 0);
  const tree = dividePart(context, free, stop);
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
  return free.length === state.topicOf.length ? ordered : measureAgain(context, ordered);
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
function divideInsideGroups(context: Prepared, state: DraftState, stop: number): DraftState {
  const isLocked = lockedTopics(state);
  const similarity = state.similarity.slice();
  const topicOf = topicIds(state);
  const made: LooseTopic[] = [];
  const replaced = new Set<string>();
  let next = state.next;
  state.topics.forEach(({ parent, kind, id: group }, number) => {
    if (parent >= 0 || kind !== 'pillar_topic' || isLocked[number] === 1) return;
    const isInside = insideOf(state, [number]);
    const free = freeKeywords(state, (topic) => isInside[topic] === 1 && isLocked[topic] === 0);
    if (free.length === 0) return;
    const tree = dividePart(context, free, stop);
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
      if (at !== number && isInside[at] === 1 && isLocked[at] === 0 && topic.kind !== 'stray') replaced.add(topic.id);
    });
  });
  const remaining = looseTopics(state).filter(({ id }) => !replaced.has(id));
  const ordered = orderedState(
    { ...state, topics: [...remaining, ...made], topicOf: (keyword) => topicOf[keyword], similarity, stop, next },
    context.list.volume,
  );
  return measureAgain(context, ordered);
}
