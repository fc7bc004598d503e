import type { Topic } from '../pipeline/topic-tree.ts';
import type { CopiedTexts } from '../write/upload-json.ts';
import { type DraftState, inKeptOrder } from './draft-state.ts';

/** The JSON of the map that a draft was made from. Unchanged parts are copied from it, so that they stay byte for byte the same. */
export type OriginalMap = {
  readonly text: string;
  /** Two numbers for each keyword: where its entry begins and ends in `text`; −1 if it has none. */
  readonly entries: Int32Array;
  /** The same for the node of each keyword. */
  readonly nodes: Int32Array;
  readonly similarity: Float32Array;
  /** The topics of the map, by `place` of the draft's topics. */
  readonly topics: readonly OriginalTopic[];
};

export type OriginalTopic = Pick<Topic, 'name' | 'kind' | 'confidence'> & {
  /** Where its node begins and ends in the text. */
  readonly start: number;
  readonly end: number;
  /** The places of the topics directly below it, and the numbers of its own keywords, both in the order of the file. */
  readonly topics: readonly number[];
  readonly keywords: readonly number[];
  /** Whether a keyword precedes a topic with the same name: writing them anew, topics first, would exchange their addresses. */
  readonly isCrossed: boolean;
};

/**
 * What can be copied from the original map into the upload of a state, and the order of keywords in each topic.
 *
 * @param compare orders the keywords that a topic did not have in the map among those that it had
 */
export function copiedFrom(
  original: OriginalMap,
  { topics, topicOf, similarity }: Pick<DraftState, 'topics' | 'topicOf' | 'similarity'>,
  compare: (one: number, other: number) => number,
): CopiedTexts {
  const { text, entries, nodes } = original;
  const at = (ranges: Int32Array, keyword: number): string | undefined =>
    (ranges[2 * keyword] ?? -1) < 0 ? undefined : text.slice(ranges[2 * keyword], ranges[2 * keyword + 1]);
  const before = topics.map(({ place }) => (place === undefined ? undefined : original.topics[place]));
  const keywords = topics.map((): number[] => []);
  topicOf.forEach((topic, keyword) => {
    keywords[topic]?.push(keyword);
  });
  const inOrder = keywords.map((own, topic) => {
    const node = before[topic];
    const isInNode = (start: number | undefined) =>
      node && start !== undefined && start > node.start && start < node.end;
    const placeOf = (keyword: number) => (isInNode(nodes[2 * keyword]) ? nodes[2 * keyword] : undefined);
    return inKeptOrder(own, placeOf, compare);
  });
  const same = sameTopics(topics, before, inOrder);
  return {
    entry: (keyword) =>
      Object.is(similarity[keyword], original.similarity[keyword]) ? at(entries, keyword) : undefined,
    node: (keyword) => at(nodes, keyword),
    topic: (topic) => (same[topic] === 1 ? text.slice(before[topic]!.start, before[topic]!.end) : undefined),
    keywords: (topic) => inOrder[topic]!,
  };
}

/** 1 for each topic that is exactly as in the map, with everything below it. */
function sameTopics(
  topics: DraftState['topics'],
  before: readonly (OriginalTopic | undefined)[],
  keywords: readonly (readonly number[])[],
): Uint8Array {
  const same = new Uint8Array(topics.length);
  const below = topics.map((): number[] => []);
  topics.forEach(({ parent }, topic) => {
    below[parent]?.push(topic);
  });
  // From the last to the first, because each topic comes after the one above it.
  for (let topic = topics.length - 1; topic >= 0; topic--) {
    const [now, then] = [topics[topic]!, before[topic]];
    const isSame =
      then &&
      !then.isCrossed &&
      then.name === now.name &&
      then.kind === now.kind &&
      Object.is(then.confidence, now.confidence) &&
      below[topic]!.every((child) => same[child] === 1) &&
      areEqual(
        below[topic]!.map((child) => topics[child]!.place!),
        then.topics,
      ) &&
      areEqual(keywords[topic]!, then.keywords);
    same[topic] = Number(isSame === true);
  }
  return same;
}

const areEqual = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);
