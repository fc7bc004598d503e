import { figuresBelow } from '../pipeline/topic-tree.ts';
import { addressesOf } from './addresses.ts';
import { type Change, chosenOf, type DraftContext, formatCount, insideOf, RefusedOperation } from './context.ts';
import { type DraftState, excluded, type LooseTopic, looseTopics } from './draft-state.ts';
import { Working } from './working.ts';

/**
 * The lists that a person reviews after an update: new keywords whose place is uncertain, all new keywords, new clusters, and keywords of the map
 * that the new list does not have.
 */
export type ReviewTab = 'uncertain' | 'new' | 'clusters' | 'gone';

/** What is still to be decided: topics in `clusters`, keywords in the others, by descending volume. */
export type Review = Readonly<Record<ReviewTab, Int32Array>>;

/** By state, because states are never changed. */
const reviews = new WeakMap<DraftState, Review>();

/** What is still to be reviewed; nothing if the draft is no update. */
export function reviewOf(context: DraftContext, state: DraftState): Review {
  const review = reviews.get(state) ?? listsOf(context, state);
  reviews.set(state, review);
  return review;
}

function listsOf({ list: { volume }, update }: DraftContext, state: DraftState): Review {
  const { topicOf, reviewed, goneFrom, topics } = state;
  const isOpen = (keyword: number): boolean => reviewed[keyword] === 0;
  const isThere = (keyword: number): boolean => isOpen(keyword) && topicOf[keyword] !== excluded;
  const byVolume = (keywords: Iterable<number>): Int32Array => byDescending(keywords, (keyword) => volume[keyword]!);
  // A cluster that a person changed or accepted is locked.
  const clusters = [...topics.keys()].filter((topic) => topics[topic]!.isNew && !topics[topic]!.isLocked);
  const below = figuresBelow(state.topics, state.topicOf, volume);
  return {
    uncertain: byVolume([...(update?.doubts.keys() ?? [])].filter(isThere)),
    new: byVolume(update?.added.filter(isThere) ?? []),
    clusters: byDescending(clusters, (topic) => below.volume[topic]!),
    gone: byVolume([...goneFrom.keys()].filter(isOpen)),
  };
}

/** Sorts by descending figures: unknown ones (NaN) last, equal ones by number. */
function byDescending(rows: Iterable<number>, figureOf: (row: number) => number): Int32Array {
  const known = (row: number): number => {
    const value = figureOf(row);
    return Number.isNaN(value) ? -1 : value;
  };
  return Int32Array.from(rows).sort((one, other) => known(other) - known(one) || one - other);
}

/** Which rows of a tab: all, or some numbers as in {@link Review}. */
export type Reviewed = 'all' | readonly number[];

/** Records that a person accepts what the update did. Accepted clusters are locked. */
export function accept(context: DraftContext, state: DraftState, tab: ReviewTab, which: Reviewed): Change {
  const open = reviewOf(context, state)[tab];
  const wanted = new Set(which === 'all' ? open : which);
  const rows = open.filter((row) => wanted.has(row));
  if (rows.length === 0) throw new RefusedOperation('draft/unknown-node');
  const reviewed = state.reviewed.slice();
  const isOfClusters = tab === 'clusters';
  if (isOfClusters) {
    const isInside = insideOf(state, rows);
    state.topicOf.forEach((topic, keyword) => {
      if (topic !== excluded && isInside[topic] === 1) reviewed[keyword] = 1;
    });
  } else for (const keyword of rows) reviewed[keyword] = 1;
  const topics = state.topics.map((topic, number) =>
    isOfClusters && wanted.has(number) ? { ...topic, isLocked: true } : topic,
  );
  const params = { count: rows.length, shown: formatCount(rows.length) };
  return { state: { ...state, topics, reviewed }, code: 'draft/accepted', params };
}

/** Brings keywords that the new list does not have back to the topics they were in. */
export function keepGone(context: DraftContext, state: DraftState, texts: readonly string[] | 'all'): Change {
  const back = chosenOf(context, state.goneFrom.keys(), texts);
  const working = new Working(context, state);
  const before = new Map(context.update?.before.map((topic) => [topic.id, topic]));
  for (const keyword of back) {
    const from = state.goneFrom.get(keyword)!;
    addWithAbove(working, before, from);
    working.bringBack(keyword, from);
    working.goneFrom.delete(keyword);
  }
  return { state: working.done(), code: 'draft/kept', params: { count: back.length, shown: formatCount(back.length) } };
}

/** Brings back a topic whose keywords were all gone, and those above it. */
function addWithAbove(working: Working, before: ReadonlyMap<string, LooseTopic>, from: string): void {
  for (let id: string | undefined = from; id !== undefined && !working.topics.has(id); ) {
    const topic = before.get(id);
    if (!topic) return;
    working.topics.set(id, topic);
    id = topic.above;
  }
}

/** A row of a review list. */
export type ReviewRow = {
  readonly name: string;
  /** `keyword`, or the kind of a topic. */
  readonly type: string;
  /** Absent for a keyword that is gone, because no revision has it. */
  readonly address?: string;
  /** The names of the topics that it is in, or was in before it was gone, from the top. */
  readonly path: string[];
  /** Monthly searches; absent where unknown. */
  readonly volume?: number;
  /** Why a keyword is uncertain: see `Doubt`. */
  readonly similarity?: number;
  readonly share?: number;
  /** How many keywords a cluster has; absent for keywords. */
  readonly keywords?: number;
};

export type ReviewPage = { readonly total: number; readonly rows: ReviewRow[] };

/** Which rows of a review list: `count` of them after the first `after`. */
export type ReviewRange = { readonly tab: ReviewTab; readonly after: number; readonly count: number };

/** A page of a review list. @param rootName the name of the root */
export function reviewPage(
  context: DraftContext,
  state: DraftState,
  rootName: string,
  { tab, after, count }: ReviewRange,
): ReviewPage {
  const all = reviewOf(context, state)[tab];
  const page = all.subarray(after, after + count);
  const { texts, volume } = context.list;
  const addresses = addressesOf(state, texts, rootName);
  const topics = topicsById(context, state);
  const below = figuresBelow(state.topics, state.topicOf, volume);
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

/** The topics of a state, and those of the map before the update that are no longer there. */
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
