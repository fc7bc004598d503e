import { freeName } from '../labels/names.ts';

/** What a topic is. Keywords are below topics of any kind. */
export type TopicKind = 'pillar_topic' | 'cluster' | 'subtopic' | 'stray';

export type Topic = {
  readonly name: string;
  readonly kind: TopicKind;
  /** The number of the topic above; −1 for one below the root. */
  readonly parent: number;
  /** How much of the similarity between its keywords and others stays inside, in percent; NaN where unknown. */
  readonly confidence: number;
  /** The words that distinguish it from other topics, most typical first. */
  readonly terms: readonly string[];
  /** Whether its keywords have little in common except what most of the list has, so that a person should review it. */
  readonly isRest?: boolean | undefined;
};

/** A grouping of keywords. */
export type TopicTree = {
  /** Each topic comes after its parent. Siblings are sorted by descending volume, then descending number of keywords, then name; strays last. */
  readonly topics: readonly Topic[];
  /** The lowest topic of each keyword. */
  readonly topicOf: Int32Array;
  /** How close each keyword is to the centre of its topic: a cosine. NaN for strays. */
  readonly similarity: Float32Array;
};

/** The name of the topic of keywords that belong to no other. */
export const strayName = 'Stray keywords';

/** A topic of which only name, kind and parent are known. */
export const emptyTopic = (name: string, kind: TopicKind, parent = -1): Topic => ({
  name,
  kind,
  parent,
  confidence: Number.NaN,
  terms: [],
});

/** Topics in any order, and the lowest topic of each keyword; −1 for none. */
type Placed = { readonly topics: readonly Topic[]; readonly topicOf: Int32Array };

/** Puts keywords without a topic into the topic of strays below the root, which is added if there is none. */
export function withStrays({ topics, topicOf }: Placed): Placed {
  if (!topicOf.includes(-1)) return { topics, topicOf };
  const found = topics.findIndex(({ kind, parent }) => kind === 'stray' && parent < 0);
  const strays = found < 0 ? topics.length : found;
  // Another topic may have that name.
  const names = new Set(topics.flatMap(({ name, parent }) => (parent < 0 ? [name] : [])));
  return {
    topics: found < 0 ? [...topics, emptyTopic(freeName(strayName, names), 'stray')] : topics,
    topicOf: topicOf.map((topic) => (topic < 0 ? strays : topic)),
  };
}

/** By topic, how many keywords are in it and below it, and the sum of their volumes: NaN if none is known. */
type FiguresBelow = { readonly keywords: Uint32Array; readonly volume: Float64Array };

/** @param volume by keyword; NaN where unknown */
export function figuresBelow(
  topics: readonly Pick<Topic, 'parent'>[],
  topicOf: Int32Array,
  volume: Float64Array,
): FiguresBelow {
  const keywords = new Uint32Array(topics.length);
  const sums = new Float64Array(topics.length).fill(Number.NaN);
  topicOf.forEach((lowest, keyword) => {
    const known = volume[keyword]!;
    for (let topic = lowest; topic >= 0; topic = topics[topic]!.parent) {
      keywords[topic]!++;
      if (!Number.isNaN(known)) sums[topic] = (sums[topic]! || 0) + known;
    }
  });
  return { keywords, volume: sums };
}

/** Compares siblings by their figures: descending volume, then descending number of keywords; strays last. */
export const bySize =
  (topics: readonly Pick<Topic, 'kind'>[], { keywords, volume }: FiguresBelow) =>
  (one: number, other: number): number =>
    Number(topics[one]!.kind === 'stray') - Number(topics[other]!.kind === 'stray') ||
    (volume[other]! || 0) - (volume[one]! || 0) ||
    keywords[other]! - keywords[one]!;

/**
 * Sorts topics so that each comes after its parent.
 *
 * @param sorted sorts siblings; those that it leaves out are dropped, with everything below them
 * @returns also the new number of each topic
 */
export function inTreeOrder<One extends Pick<Topic, 'parent'>>(
  topics: readonly One[],
  sorted: (siblings: number[]) => readonly number[],
): { readonly topics: One[]; readonly numberOf: Int32Array } {
  const below = new Map<number, number[]>();
  topics.forEach(({ parent }, topic) => {
    const siblings = below.get(parent);
    if (siblings) siblings.push(topic);
    else below.set(parent, [topic]);
  });
  const ordered: One[] = [];
  const numberOf = new Int32Array(topics.length);
  const add = (above: number, parent: number): void => {
    for (const topic of sorted(below.get(above) ?? [])) {
      numberOf[topic] = ordered.push({ ...topics[topic]!, parent }) - 1;
      add(topic, numberOf[topic]!);
    }
  };
  add(-1, -1);
  return { topics: ordered, numberOf };
}

/**
 * Sorts topics, and puts keywords without one among the strays.
 *
 * @param volume by keyword; NaN where unknown
 */
export function topicTreeOf(placed: Placed, similarity: Float32Array, volume: Float64Array): TopicTree {
  const { topics, topicOf } = withStrays(placed);
  const compare = bySize(topics, figuresBelow(topics, topicOf, volume));
  const ordered = inTreeOrder(topics, (siblings) =>
    siblings.sort((a, b) => compare(a, b) || (topics[a]!.name < topics[b]!.name ? -1 : 1)),
  );
  return { topics: ordered.topics, topicOf: topicOf.map((topic) => ordered.numberOf[topic]!), similarity };
}

/** The topics that a tree of the keywords of one group adds below that group. */
type InsideGroup = {
  /** The added topics, by their numbers in the tree; each comes after the one above it. */
  readonly topics: readonly {
    readonly number: number;
    readonly kind: 'cluster' | 'subtopic';
    /** The number of the one above; −1 for the group itself. */
    readonly above: number;
  }[];
  /** The lowest added topic of each keyword; −1 for the group itself. */
  readonly topicOf: Int32Array;
};

/**
 * Turns the tree of one group's keywords into clusters and subtopics below that group. Pillar topics of the tree are dropped, because the group is
 * one. Strays stay in the group itself.
 *
 * @param fewest with fewer clusters than this, everything stays in the group itself
 */
export function insideGroup({ topics, topicOf }: TopicTree, fewest = 2): InsideGroup {
  const kind = topics.some((topic) => topic.kind === 'cluster') ? 'cluster' : 'pillar_topic';
  const numbers = [...topics.keys()].filter((number) => [kind, 'subtopic'].includes(topics[number]!.kind));
  const isEnough = numbers.filter((number) => topics[number]!.kind === kind).length >= fewest;
  const added = new Set(isEnough ? numbers : []);
  return {
    topics: [...added].map((number) => {
      const { parent, kind: own } = topics[number]!;
      return { number, kind: own === kind ? 'cluster' : 'subtopic', above: added.has(parent) ? parent : -1 };
    }),
    topicOf: topicOf.map((number) => (added.has(number) ? number : -1)),
  };
}
