import { DraftAddresses } from './addresses.ts';
import type { DraftContext } from './context.ts';
import { type DraftState, excluded, type LooseTopic, looseTopics } from './draft-state.ts';
import { figuresBelow, type ReviewTab, reviewOf } from './review.ts';

/** Something of an update about which nobody has decided. */
export type ReviewRow = {
  readonly name: string;
  /** `keyword`, or the kind of a topic. */
  readonly type: string;
  /** Undefined for a keyword that is gone, because no revision has it. */
  readonly address?: string;
  /** The names of the topics that it is in, or was in before it was gone, from the top. */
  readonly path: string[];
  /** Monthly searches; undefined where unknown. */
  readonly volume?: number;
  /** Why a keyword is uncertain: see `Doubt`. */
  readonly similarity?: number;
  readonly share?: number;
  /** How many keywords a cluster has. */
  readonly keywords?: number;
};

export type ReviewPage = { readonly total: number; readonly rows: ReviewRow[] };

/** Which rows of a review list: `count` of them after the first `after`. */
export type ReviewRange = { readonly tab: ReviewTab; readonly after: number; readonly count: number };

/** A part of a review list. @param rootName the name of the root */
export function reviewPage(
  context: DraftContext,
  state: DraftState,
  rootName: string,
  { tab, after, count }: ReviewRange,
): ReviewPage {
  const all = reviewOf(context, state)[tab];
  const page = all.subarray(after, after + count);
  const { texts, volume } = context.list;
  const addresses = new DraftAddresses(state, texts, rootName);
  const topics = topicsById(context, state);
  const below = figuresBelow(state, volume);
  const known = (value: number) => (Number.isNaN(value) ? {} : { volume: value });
  const ofCluster = (topic: number): ReviewRow => {
    const { id, name, kind } = state.topics[topic]!;
    return {
      name,
      type: kind,
      address: addresses.ofTopic(topic),
      path: pathTo(topics, topics.get(id)?.above),
      keywords: below.keywords[topic]!,
      ...known(below.volume[topic]!),
    };
  };
  const ofKeyword = (keyword: number): ReviewRow => {
    const topic = state.topicOf[keyword]!;
    const isGone = topic === excluded;
    const doubt = tab === 'uncertain' ? context.update?.doubts.get(keyword) : undefined;
    return {
      name: texts[keyword]!,
      type: 'keyword',
      ...(!isGone && { address: addresses.ofKeyword(keyword) }),
      path: pathTo(topics, isGone ? state.goneFrom.get(keyword) : state.topics[topic]!.id),
      ...known(volume[keyword]!),
      ...doubt,
    };
  };
  return { total: all.length, rows: Array.from(page, tab === 'clusters' ? ofCluster : ofKeyword) };
}

/** The topics of a state, and those of the map before it that are not there any more. */
function topicsById({ update }: DraftContext, state: DraftState): ReadonlyMap<string, LooseTopic> {
  return new Map([...(update?.before ?? []), ...looseTopics(state)].map((topic) => [topic.id, topic]));
}

function pathTo(topics: ReadonlyMap<string, LooseTopic>, lowest: string | undefined): string[] {
  const path: string[] = [];
  for (
    let topic = lowest && topics.get(lowest);
    topic;
    topic = topic.above === undefined ? undefined : topics.get(topic.above)
  )
    path.unshift(topic.name);
  return path;
}
