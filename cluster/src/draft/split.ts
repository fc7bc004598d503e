import { resultsOf } from '@kc/pack/shared-urls/results';
import { sharingOf, type UrlSharing } from '@kc/pack/shared-urls/sharing';
import { edgesIn, graphOf } from '../communities/graph.ts';
import { leiden } from '../communities/leiden.ts';
import { connectedParts, renumbered } from '../communities/partition.ts';
import { centralityOf } from '../hierarchy/linkage.ts';
import { dissolveSmall, joinStrays, keywordsPerGroup, numberedPages, type Pages, stray } from '../hierarchy/pages.ts';
import { similarityGraph } from '../neighbours/neighbours.ts';
import type { ListSettings } from '../pipeline/cluster.ts';
import { type KeywordList, singleGroups, someKeywords } from '../pipeline/keyword-list.ts';
import { namePlaces } from '../pipeline/name-places.ts';
import { type PreparedList, partOf } from '../pipeline/prepared-list.ts';
import type { TopicTree } from '../pipeline/topic-tree.ts';
import { wordsOf } from '../words/words.ts';
import { type Change, type DraftContext, insideOf, keywordsOf, RefusedOperation } from './context.ts';
import {
  type DraftState,
  idOf,
  type LooseTopic,
  looseTopics,
  newTopic,
  orderedState,
  topicIds,
} from './draft-state.ts';
import { measured } from './measure.ts';

const maxDoublings = 6;

/**
 * Divides a topic into parts, which replace it. A pillar topic stays, and has them as its clusters.
 *
 * @param sharedUrls if given, keywords that share at least this many search results stay together; otherwise meaning and wording decide
 */
export function splitTopic(context: DraftContext, state: DraftState, topic: number, sharedUrls?: number): Change {
  const { kind, name, parent, id } = state.topics[topic]!;
  const hasClusters = state.topics.some((child) => child.parent === topic && child.kind === 'cluster');
  if (kind === 'stray' || hasClusters) throw new RefusedOperation('draft/not-here');
  const keywords = keywordsOf(state, topic);
  const tree =
    sharedUrls === undefined
      ? context.prepared && divideInTwo(context, context.prepared, keywords)
      : divideByResults(context, state, keywords, sharedUrls);
  if (!tree) throw new RefusedOperation('draft/not-splittable');
  let next = state.next;
  const ids = tree.topics.map(() => idOf(next++));
  const above = kind === 'pillar_topic' ? id : parent < 0 ? undefined : state.topics[parent]!.id;
  const parts = tree.topics.map((part, number) => ({
    ...newTopic({ ...part, kind: kind === 'pillar_topic' ? 'cluster' : kind }, ids[number]!, above),
    isLocked: kind !== 'subtopic',
  }));
  const isInside = insideOf(state, [topic]);
  const kept = looseTopics(state).filter(
    (_, number) => isInside[number] === 0 || (number === topic && kind === 'pillar_topic'),
  );
  const before = topicIds(state);
  const partOfKeyword = new Map(Array.from(keywords, (keyword, row) => [keyword, ids[tree.topicOf[row]!]!]));
  const ordered = orderedState(
    {
      ...state,
      next,
      topics: [...withLockedCluster(kept, kind === 'subtopic' ? above : undefined), ...parts],
      topicOf: (keyword) => partOfKeyword.get(keyword) ?? before[keyword],
    },
    context.list.volume,
  );
  return {
    state: measured(context, ordered, new Set(ids)),
    code: 'draft/split',
    params: { name, parts: parts.length },
    focus: ids[0],
  };
}

const withLockedCluster = (topics: readonly LooseTopic[], id: string | undefined): LooseTopic[] =>
  topics.map((topic) => (topic.id === id ? { ...topic, isLocked: true } : topic));

/** Doubles the resolution until there are at least two parts. @returns undefined if there never are */
function divideInTwo(
  { list, settings }: DraftContext,
  prepared: PreparedList,
  keywords: Int32Array,
): TopicTree | undefined {
  const part = partOf(list, prepared, keywords);
  const { groups, neighbours, shared, seed } = part.prepared;
  const graph = shared?.graph ?? similarityGraph(neighbours.page);
  let resolution = settings.granularity.pageResolution;
  for (let doubling = 0; doubling <= maxDoublings; doubling++, resolution *= 2) {
    const found = renumbered(leiden(graph, { objective: 'cpm', resolution, seed: settings.seed }));
    const pages = dissolveSmallParts(found, part.prepared, settings);
    if (pages.count < 2) continue;
    const similarity = centralityOf(neighbours.pageVectors, pages.of, pages.count);
    const places = { clusters: pages, subtopics: undefined, pillarOf: undefined, pillars: 0, similarity };
    return namePlaces(places, groups, part.list, wordsOf(settings.language), edgesIn(graph), seed);
  }
  return undefined;
}

/** By list, which keywords share results. It is that of the whole list, in which a URL of too many keywords does not count. */
const sharings = new WeakMap<KeywordList, UrlSharing>();

function sharingIn(list: KeywordList, urls: NonNullable<KeywordList['urls']>): UrlSharing {
  const sharing = sharings.get(list) ?? sharingOf(resultsOf(urls));
  sharings.set(list, sharing);
  return sharing;
}

/** Divides keywords so that those of different parts share fewer than `minShared` results. Those without results go to the largest part. */
function divideByResults(
  { list, settings, prepared }: DraftContext,
  { similarity }: DraftState,
  keywords: Int32Array,
  minShared: number,
): TopicTree | undefined {
  const { urls } = list;
  if (!urls) return undefined;
  const sharing = sharingIn(list, urls);
  const rowOf = new Map(Array.from(keywords, (keyword, row) => [keyword, row]));
  const edges: { from: number[]; to: number[]; weight: number[] } = { from: [], to: [], weight: [] };
  keywords.forEach((keyword, row) => {
    sharing(keyword, (other, shared) => {
      const inside = rowOf.get(other);
      if (inside === undefined || inside < row || shared < minShared) return;
      edges.from.push(row);
      edges.to.push(inside);
      edges.weight.push(shared);
    });
  });
  const graph = graphOf(keywords.length, {
    from: Uint32Array.from(edges.from),
    to: Uint32Array.from(edges.to),
    weight: Float32Array.from(edges.weight),
  });
  const { of } = connectedParts(graph);
  const found = numberedPages(of.map((part, row) => (urls[keywords[row]!]!.length > 0 ? part : stray)));
  if (found.count < 2) return undefined;
  const part = someKeywords(list, keywords);
  const groups = singleGroups(part);
  const places = {
    clusters: withLargest(found, groups.weight),
    subtopics: undefined,
    pillarOf: undefined,
    pillars: 0,
    similarity: Float32Array.from(keywords, (keyword) => similarity[keyword]!),
  };
  return namePlaces(places, groups, part, wordsOf(settings.language), edgesIn(graph), prepared?.seed);
}

/** Dissolves parts that are too small. Their rows join the part that they resemble, or else the largest. */
function dissolveSmallParts(found: Pages, { groups, neighbours }: PreparedList, settings: ListSettings): Pages {
  const remaining = dissolveSmall(found, groups.weight, settings.smallestCluster);
  const joined = joinStrays(neighbours.page, remaining, 0);
  return joined.count === 0 ? joined : withLargest(joined, groups.weight);
}

/** Puts strays into the largest part. */
function withLargest(pages: Pages, weight: Float64Array): Pages {
  const sizes = keywordsPerGroup(pages, weight);
  const largest = sizes.reduce((best, size, page) => (size > sizes[best]! ? page : best), 0);
  return numberedPages(pages.of.map((page) => (page === stray ? largest : page)));
}

/** The keywords of a branch as a list of their own, in the order of the map. */
export const branchList = (map: KeywordList & { readonly state: DraftState }, branch: number): KeywordList =>
  someKeywords(map, keywordsOf(map.state, branch));

/**
 * Divides a branch of a map: its keywords move into the clusters of `tree` inside the branch, and its strays into a topic of strays there. Everything
 * else stays as it is, and is locked.
 *
 * @param tree of the keywords of {@link branchList}
 */
export function splitBranch(
  { volume, state }: Pick<KeywordList, 'volume'> & { readonly state: DraftState },
  branch: number,
  tree: TopicTree,
): DraftState {
  const { id: branchId, kind: branchKind } = state.topics[branch]!;
  const isInside = insideOf(state, [branch]);
  const hasPillars = tree.topics.some(({ kind }) => kind === 'cluster');
  const clusterKind = hasPillars ? 'cluster' : 'pillar_topic';
  let next = state.next;
  const made = new Map<number, LooseTopic>();
  tree.topics.forEach(({ parent, ...topic }, number) => {
    // Below a pillar topic there are clusters, with their subtopics; below a cluster there are subtopics only.
    const isCluster = topic.kind === clusterKind || topic.kind === 'stray';
    if (!isCluster && (topic.kind !== 'subtopic' || branchKind !== 'pillar_topic')) return;
    const above = isCluster ? branchId : made.get(parent)!.id;
    const own = branchKind === 'pillar_topic' ? 'cluster' : 'subtopic';
    const kind = topic.kind === 'stray' ? 'stray' : isCluster ? own : 'subtopic';
    const id = idOf(next++);
    made.set(number, { ...newTopic({ ...topic, kind }, id, above), isNew: topic.kind !== 'stray' });
  });
  const placeOf = (topic: number): string => {
    let at = topic;
    while (!made.has(at) && tree.topics[at]!.parent >= 0) at = tree.topics[at]!.parent;
    return made.get(at)?.id ?? branchId;
  };
  const keywords = keywordsOf(state, branch);
  const places = new Map(Array.from(keywords, (keyword, row) => [keyword, placeOf(tree.topicOf[row]!)]));
  const similarity = state.similarity.slice();
  keywords.forEach((keyword, row) => {
    similarity[keyword] = tree.similarity[row]!;
  });
  const kept = looseTopics(state)
    .filter((_, topic) => isInside[topic] === 0 || topic === branch)
    .map((topic) => ({ ...topic, isLocked: topic.kind !== 'stray' && topic.id !== branchId }));
  return orderedState(
    {
      ...state,
      topics: [...kept, ...made.values()],
      topicOf: (keyword) => places.get(keyword) ?? state.topics[state.topicOf[keyword]!]!.id,
      similarity,
      next,
    },
    volume,
  );
}
