import type { ListSettings } from '../pipeline/cluster.ts';
import type { KeywordList } from '../pipeline/keyword-list.ts';
import type { PreparedList } from '../pipeline/prepared-list.ts';
import type { TopicTree } from '../pipeline/topic-tree.ts';
import type { DraftState, LooseTopic } from './draft-state.ts';

/** What a draft is made of; it stays the same while the draft is edited. */
export type DraftContext = {
  readonly list: KeywordList;
  readonly settings: ListSettings;
  /** Undefined if the list came with its own groups: then nothing is known about who resembles whom. */
  readonly prepared: PreparedList | undefined;
  /** Whether the pillar topics are groups of the list, which granularity divides each inside itself. */
  readonly isInGroups?: boolean | undefined;
  /** What an update found out; undefined if the draft is none. */
  readonly update?: MapUpdate | undefined;
  /** How the keywords of one topic were clustered, if the draft divides a branch of a map. */
  readonly division?: Division | undefined;
};

/** The keywords of a topic, by its ID, as a tree of their own. */
export type Division = { readonly branch: string; readonly tree: TopicTree };

/** What an update of a map found out before anybody decided about it. Keywords by their rows in the list. */
export type MapUpdate = {
  /** Keywords that the map did not have, in rising order. */
  readonly added: Int32Array;
  /** Of these, those that joined a cluster of the map in spite of doubt. */
  readonly doubts: ReadonlyMap<number, Doubt>;
  /** The topics of the map, to bring back those whose keywords are all gone. */
  readonly before: readonly LooseTopic[];
};

/** Why the place of a keyword is uncertain. */
export type Doubt = {
  /** The mean similarity of the keywords that it resembles in its cluster, −1 to 1. */
  readonly similarity: number;
  /** Of the weight of all keywords that it resembles, the share that is in its cluster, 0 to 1. */
  readonly share: number;
};

/** Why an operation cannot be done: a code of the catalogue of texts. */
export type OperationRefusal =
  | 'draft/name-taken'
  | 'draft/name-empty'
  | 'draft/unknown-node'
  | 'draft/one-level'
  | 'draft/not-splittable'
  | 'draft/not-here'
  | 'draft/nothing-left'
  | 'draft/no-granularity';

/** Thrown by the functions of operations, and caught where an operation is applied. */
export class RefusedOperation extends Error {
  readonly code: OperationRefusal;

  constructor(code: OperationRefusal) {
    super(code);
    this.code = code;
  }
}

/** What an operation made: the next state, what to say about it, and the topic to go to. */
export type Change = {
  readonly state: DraftState;
  readonly code: string;
  readonly params?: Readonly<Record<string, string | number>>;
  /** The ID of a topic. */
  readonly focus?: string | undefined;
};

/** The keywords at and below a topic, in rising order. */
export const keywordsOf = (state: DraftState, topic: number): Int32Array => keywordsOfAll(state, [topic]);

/** The keywords at and below some topics, each once, in rising order. */
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

/** 1 for some topics and all that are below them. */
export function insideOf({ topics }: DraftState, some: Iterable<number>): Uint8Array {
  const isInside = new Uint8Array(topics.length);
  for (const topic of some) isInside[topic] = 1;
  // Topics stand after the one above them.
  topics.forEach(({ parent }, topic) => {
    if (parent >= 0 && isInside[parent] === 1) isInside[topic] = 1;
  });
  return isInside;
}

/** The part of a draft that is locked as a whole: a subtopic with its cluster, everything else by itself. */
export function lockedWith({ topics }: DraftState, topic: number): number {
  let at = topic;
  while (topics[at]!.kind === 'subtopic' && topics[at]!.parent >= 0) at = topics[at]!.parent;
  return at;
}

/** 1 for topics that are locked, or lie in a locked one. */
export function lockedTopics({ topics }: DraftState): Uint8Array {
  const isLocked = new Uint8Array(topics.length);
  topics.forEach((topic, number) => {
    if (topic.isLocked || (topic.parent >= 0 && isLocked[topic.parent] === 1)) isLocked[number] = 1;
  });
  return isLocked;
}

/** A number as people read it: 12,586. */
export const shown = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
