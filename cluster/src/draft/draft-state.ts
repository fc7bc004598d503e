import { normalForm } from '@kc/pack/names/normal-form';
import { freeName } from '../labels/names.ts';
import {
  bySize,
  emptyTopic,
  figuresBelow,
  inTreeOrder,
  strayName,
  type Topic,
  type TopicTree,
} from '../pipeline/topic-tree.ts';

/** A topic of a draft. */
export type DraftTopic = Topic & {
  /** `k0001`: the same in every revision of the draft. */
  readonly id: string;
  /** Whether granularity leaves it, and everything in it, as it is. */
  readonly isLocked: boolean;
  readonly isRenamed: boolean;
  /** Whether an update of a map, or the division of a branch, added it. */
  readonly isNew: boolean;
  /** Whether a person put it into its pillar topic. */
  readonly isPlaced?: boolean;
  /** Its number in the map that the draft was made from, whose order is kept. */
  readonly place?: number;
};

/** One state of a draft. Never changed: an operation makes another one. */
export type DraftState = {
  /** In the order of `TopicTree`, except that topics with a `place` keep the order of the map. */
  readonly topics: readonly DraftTopic[];
  /** The lowest topic of each keyword; −1 for one that is not on the map, because it is excluded or not in the new list. */
  readonly topicOf: Int32Array;
  /** As in `TopicTree`. */
  readonly similarity: Float32Array;
  /** 1 for keywords that a person sent to the strays, where granularity leaves them. */
  readonly sentToStrays: Uint8Array;
  /** The ID of the topic that each excluded keyword was in. */
  readonly excludedFrom: ReadonlyMap<number, string>;
  /** After an update, the ID of the topic that each keyword was in that the new list does not have. */
  readonly goneFrom: ReadonlyMap<number, string>;
  /** 1 for keywords of an update about which a person has decided. */
  readonly reviewed: Uint8Array;
  /** Its stop of granularity; undefined if that cannot be changed, because the clusters came with the list or the map. */
  readonly stop: number | undefined;
  /** The number of the next ID. */
  readonly next: number;
};

/** The value of `topicOf` for a keyword that is not on the map. */
export const excluded = -1;

/** A topic that names its parent by ID (`above`), because topics have no numbers before they are sorted. */
export type LooseTopic = Omit<DraftTopic, 'parent'> & { readonly above: string | undefined };

/** The first state of a draft. @param isLocked whether granularity must leave all topics as they are */
export function beginDraft(
  { topics, topicOf, similarity }: TopicTree,
  stop: number | undefined,
  isLocked = false,
): DraftState {
  return {
    topics: topics.map((topic, number) => ({
      ...topic,
      id: idOf(number + 1),
      isLocked: isLocked && topic.kind !== 'stray',
      isRenamed: false,
      isNew: false,
    })),
    topicOf,
    similarity,
    sentToStrays: new Uint8Array(topicOf.length),
    excludedFrom: new Map(),
    goneFrom: new Map(),
    reviewed: new Uint8Array(topicOf.length),
    stop,
    next: topics.length + 1,
  };
}

export const idOf = (number: number): string => `k${String(number).padStart(4, '0')}`;

/** A state before its topics are sorted: topics in any order, and the ID of each keyword's lowest topic. */
type LooseState = Omit<DraftState, 'topics' | 'topicOf'> & {
  readonly topics: Iterable<LooseTopic>;
  /** Undefined for a keyword that is not on the map. */
  readonly topicOf: (keyword: number) => string | undefined;
};

/**
 * Sorts topics, drops those without keywords, and gives siblings with the same name different ones.
 *
 * @param volume by keyword; NaN where unknown
 * @throws Error if a keyword is in a topic that does not exist
 */
export function orderedState(loose: LooseState, volume: Float64Array): DraftState {
  const all = [...new Map(Array.from(loose.topics, (topic) => [topic.id, topic])).values()];
  const numbers = new Map<string | undefined, number>(all.map(({ id }, number) => [id, number]));
  const topics = all.map(({ above, ...topic }): DraftTopic => ({ ...topic, parent: numbers.get(above) ?? -1 }));
  const topicOf = Int32Array.from(volume, (_, keyword) => {
    const id = loose.topicOf(keyword);
    const topic = id === undefined ? excluded : numbers.get(id);
    if (topic === undefined) throw new Error(`There is no topic ${id}`);
    return topic;
  });
  const figures = figuresBelow(topics, topicOf, volume);
  const sizes = bySize(topics, figures);
  // IDs break ties, so that the order in which topics are given does not matter.
  const compareTopics = (a: number, b: number): number =>
    sizes(a, b) || compare(topics[a]!.name, topics[b]!.name) || compare(topics[a]!.id, topics[b]!.id);
  const { topics: ordered, numberOf } = inTreeOrder(topics, (below) => {
    const siblings = inKeptOrder(
      below.filter((topic) => figures.keywords[topic]! > 0),
      (topic) => placeOf(topics[topic]!),
      compareTopics,
    );
    differentNames(siblings.map((topic) => topics[topic]!)).forEach((name, at) => {
      topics[siblings[at]!] = { ...topics[siblings[at]!]!, name };
    });
    return siblings;
  });
  return {
    ...loose,
    topics: ordered,
    topicOf: topicOf.map((topic) => (topic === excluded ? excluded : numberOf[topic]!)),
  };
}

const placeOf = ({ kind, place }: DraftTopic): number | undefined => (kind === 'stray' ? undefined : place);

/** By code units, and never by locale. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Gives each sibling a different name. Names that people gave are kept first, then those of locked topics, then those of topics that are not new, then
 * those that come first.
 */
function differentNames(siblings: readonly DraftTopic[]): string[] {
  const names: string[] = [];
  const taken = new Set<string>();
  for (const priority of [3, 2, 1, 0]) {
    siblings.forEach((topic, place) => {
      if (namePriority(topic) !== priority) return;
      // Addresses are computed from names in NFC, but a name that is free stays as it is written in its map.
      const normal = normalForm(topic.name, 'NFC');
      const free = freeName(normal, taken);
      names[place] = free === normal ? topic.name : free;
      taken.add(free);
    });
  }
  return names;
}

const namePriority = ({ isRenamed, isLocked, isNew }: DraftTopic): number =>
  isRenamed ? 3 : isLocked ? 2 : isNew ? 0 : 1;

/** The topics of a state, each with the ID of the one above. */
export const looseTopics = ({ topics }: DraftState): LooseTopic[] =>
  topics.map(({ parent, ...topic }) => ({ ...topic, above: parent < 0 ? undefined : topics[parent]!.id }));

/** The topic below the root that holds strays, if there is one. */
export const strayTopic = ({ topics }: DraftState): DraftTopic | undefined =>
  topics.find(({ kind, parent }) => kind === 'stray' && parent < 0);

/** The ID of the topic of each keyword; undefined for one that is not on the map. */
export const topicIds = ({ topics, topicOf }: DraftState): (string | undefined)[] =>
  Array.from(topicOf, (topic) => (topic === excluded ? undefined : topics[topic]!.id));

/** A topic of a draft for one that clustering found. */
export const newTopic = (
  { name, kind, confidence, terms, isRest }: Omit<Topic, 'parent'>,
  id: string,
  above: string | undefined,
): LooseTopic => ({
  id,
  above,
  name,
  kind,
  confidence,
  terms,
  isLocked: false,
  isRenamed: false,
  isNew: false,
  ...(isRest && { isRest }),
});

/** The topic of strays of a draft that has none yet. */
export const newStrayTopic = (id: string): LooseTopic => newTopic(emptyTopic(strayName, 'stray'), id, undefined);

/**
 * Sorts items with a place by it, and inserts each other item before the first of these that `compare` puts after it.
 *
 * @param compare the order of items without a place
 */
export function inKeptOrder<One>(
  all: readonly One[],
  placeOf: (one: One) => number | undefined,
  compare: (one: One, other: One) => number,
): One[] {
  const kept = all.filter((one) => placeOf(one) !== undefined).sort((one, other) => placeOf(one)! - placeOf(other)!);
  const others = all.filter((one) => placeOf(one) === undefined).sort(compare);
  const ordered: One[] = [];
  let next = 0;
  for (const one of kept) {
    while (next < others.length && compare(others[next]!, one) < 0) ordered.push(others[next++]!);
    ordered.push(one);
  }
  return [...ordered, ...others.slice(next)];
}
