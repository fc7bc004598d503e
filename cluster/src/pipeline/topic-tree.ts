/** What a topic is. Keywords are below topics of any kind. */
export type TopicKind = 'pillar_topic' | 'cluster' | 'subtopic' | 'stray';

export type Topic = {
  readonly name: string;
  readonly kind: TopicKind;
  /** The number of the topic above; −1 for one below the root. */
  readonly parent: number;
  /** Percent of the similarity of its keywords to others that stays inside; NaN where unknown. */
  readonly confidence: number;
  /** The words that tell it from other topics, most typical first. */
  readonly terms: readonly string[];
  /** Whether its keywords have nothing in common but what most of the list has, so that a person should look. */
  readonly isRest?: boolean | undefined;
};

/** A grouping of keywords. */
export type TopicTree = {
  /** Each after the one above it; siblings by falling volume, then number of keywords, then name; strays last. */
  readonly topics: readonly Topic[];
  /** The lowest topic of each keyword. */
  readonly topicOf: Int32Array;
  /** How close each keyword is to the centre of its topic: a cosine. NaN for strays. */
  readonly similarity: Float32Array;
};

/** The name of the topic of keywords that belong nowhere. */
export const strayName = 'Stray keywords';

/** The name of the topic of strays among others below the root: a keyword or a group may be called so, too. */
export function strayNameBeside(names: Iterable<string>): string {
  const taken = new Set(names);
  let free = strayName;
  for (let number = 2; taken.has(free); number++) free = `${strayName} (${number})`;
  return free;
}

/** A topic before it has a place among its siblings. */
export type Draft = Omit<Topic, 'parent'> & {
  /** Its number among the drafts; −1 for one below the root. */
  readonly parent: number;
  readonly volume: number;
  readonly keywords: number;
};

/**
 * Puts topics in order.
 *
 * @param drafts in any order
 * @param draftOf the lowest draft of each keyword
 */
export function topicTreeOf(drafts: readonly Draft[], draftOf: Int32Array, similarity: Float32Array): TopicTree {
  const children = new Map<number, number[]>();
  drafts.forEach(({ parent }, draft) => {
    const known = children.get(parent);
    if (known) known.push(draft);
    else children.set(parent, [draft]);
  });
  const topics: Topic[] = [];
  const numberOf = new Int32Array(drafts.length);
  const add = (above: number, parent: number): void => {
    const siblings = (children.get(above) ?? []).sort((a, b) => inOrder(drafts[a]!, drafts[b]!));
    for (const draft of siblings) {
      const { name, kind, confidence, terms, isRest } = drafts[draft]!;
      numberOf[draft] = topics.length;
      topics.push({ name, kind, parent, confidence, terms, ...(isRest && { isRest }) });
      add(draft, numberOf[draft]!);
    }
  };
  add(-1, -1);
  return { topics, topicOf: draftOf.map((draft) => numberOf[draft]!), similarity };
}

function inOrder(one: Draft, other: Draft): number {
  const strays = Number(one.kind === 'stray') - Number(other.kind === 'stray');
  return strays || other.volume - one.volume || other.keywords - one.keywords || (one.name < other.name ? -1 : 1);
}

/** What a tree of the keywords of one group adds below that group. */
export type InsideGroup = {
  /** The topics that are added, by their numbers in the tree, each after the one above it. */
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
 * The clusters of a tree without its pillar topics: the group is one. Strays stay in the group itself.
 *
 * @param fewest with fewer clusters, everything stays in the group itself
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
