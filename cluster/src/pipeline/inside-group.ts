import type { TopicTree } from './topic-tree.ts';

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
