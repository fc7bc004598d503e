import type { ListSettings } from '../pipeline/cluster.ts';
import type { KeywordList } from '../pipeline/keyword-list.ts';
import type { PreparedList } from '../pipeline/prepared-list.ts';
import type { TopicTree } from '../pipeline/topic-tree.ts';
import type { DraftState, LooseTopic } from './draft-state.ts';

/** What a draft was made from; it stays the same while the draft is edited. */
export type DraftContext = {
  readonly list: KeywordList;
  readonly settings: ListSettings;
  /** The similarities of keywords. Undefined if the list came with all its groups, so that nothing was compared. */
  readonly prepared: PreparedList | undefined;
  /** Whether the pillar topics are groups that the list came with. Granularity then divides each group separately. */
  readonly isInGroups?: boolean | undefined;
  /** The result of the update of a map; undefined if the draft is no update. */
  readonly update?: MapUpdate | undefined;
  /** The new clusters of one topic, if the draft divides a branch of a map. */
  readonly division?: Division | undefined;
};

/** The ID of a topic, and the tree that its keywords were clustered into. */
export type Division = { readonly branch: string; readonly tree: TopicTree };

/** The result of the update of a map, before anybody has reviewed it. Keywords are rows of the list. */
export type MapUpdate = {
  /** Keywords that the map did not have, ascending. */
  readonly added: Int32Array;
  /** Those of the added keywords that joined a cluster although their place is uncertain. */
  readonly doubts: ReadonlyMap<number, Doubt>;
  /** The topics of the map before the update. Those whose keywords are all gone can be brought back from here. */
  readonly before: readonly LooseTopic[];
};

/** Why the place of a keyword is uncertain. */
export type Doubt = {
  /** The mean similarity to the keywords of its cluster that it resembles, −1 to 1. */
  readonly similarity: number;
  /** Of the summed similarities to all keywords that it resembles, the share of those in its cluster, 0 to 1. */
  readonly share: number;
};

/** Why an operation cannot be done: a code of the catalogue of texts. */
export type OperationRefusal =
  | 'draft/name-taken'
  | 'draft/pillar-taken'
  | 'draft/name-empty'
  | 'draft/unknown-node'
  | 'draft/one-level'
  | 'draft/not-splittable'
  | 'draft/not-here'
  | 'draft/nothing-left'
  | 'draft/no-granularity';

/** Thrown by the functions that apply an operation, and caught by `applyOperation`. */
export class RefusedOperation extends Error {
  readonly code: OperationRefusal;

  constructor(code: OperationRefusal) {
    super(code);
    this.code = code;
  }
}

/** The result of an operation: the next state, a code of the catalogue of texts with its parameters, and the topic to show. */
export type Change = {
  readonly state: DraftState;
  readonly code: string;
  readonly params?: Readonly<Record<string, string | number>>;
  /** The ID of a topic. */
  readonly focus?: string | undefined;
};

/** The keywords in a topic and below it, ascending. */
export const keywordsOf = (state: DraftState, topic: number): Int32Array => keywordsOfAll(state, [topic]);

/** The keywords in some topics and below them, each once, ascending. */
export function keywordsOfAll(state: DraftState, topics: readonly number[]): Int32Array {
  const isInside = insideOf(state, topics);
  return Int32Array.from(state.topicOf.keys()).filter((keyword) => isInside[state.topicOf[keyword]!] === 1);
}

/** Those of some keywords that have one of these texts. @throws RefusedOperation if there are none */
export function chosenOf(
  { list: { texts } }: DraftContext,
  keywords: Iterable<number>,
  chosen: readonly string[] | 'all',
): number[] {
  const wanted = chosen === 'all' ? undefined : new Set(chosen);
  const found = [...keywords].filter((keyword) => wanted?.has(texts[keyword]!) ?? true);
  if (found.length === 0) throw new RefusedOperation('draft/unknown-node');
  return found;
}

/** By topic, 1 for the given ones and all topics below them. */
export function insideOf({ topics }: DraftState, some: Iterable<number>): Uint8Array {
  const isInside = new Uint8Array(topics.length);
  for (const topic of some) isInside[topic] = 1;
  // Each topic comes after its parent.
  topics.forEach(({ parent }, topic) => {
    if (parent >= 0 && isInside[parent] === 1) isInside[topic] = 1;
  });
  return isInside;
}

/** The topic that has to be locked to lock a topic: for a subtopic its cluster, otherwise the topic itself. */
export function lockedWith({ topics }: DraftState, topic: number): number {
  let at = topic;
  while (topics[at]!.kind === 'subtopic' && topics[at]!.parent >= 0) at = topics[at]!.parent;
  return at;
}

/** By topic, 1 if it is locked or in a locked one. */
export function lockedTopics({ topics }: DraftState): Uint8Array {
  const isLocked = new Uint8Array(topics.length);
  topics.forEach((topic, number) => {
    if (topic.isLocked || (topic.parent >= 0 && isLocked[topic.parent] === 1)) isLocked[number] = 1;
  });
  return isLocked;
}

/** A number with commas between thousands: 12,586. */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
