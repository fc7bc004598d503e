import { type Graph, nodeCount } from '../communities/graph.ts';
import { groupCommunities, leiden } from '../communities/leiden.ts';
import { renumbered } from '../communities/partition.ts';
import type { Vectors } from '../features/vectors.ts';
import { type Neighbours, similarityGraph } from '../neighbours/neighbours.ts';
import { centresOf, wardLinkage } from './linkage.ts';
import { dissolveSmall, divideLarge, joinStrays, keywordsPerGroup, numberedPages, type Pages, stray } from './pages.ts';
import { type ClusterSettings, minWithPillars } from './settings.ts';

/** With shape `automatic`, more pages than this become subtopics, and clusters are topics. */
const maxFlatPages = 300;

/** The limits of the number of pillar topics, unless the settings give a number. Few clusters have fewer: one for two to three clusters. */
const defaultPillars = { min: 15, max: 35 };
const minPillars = 5;
/** If only the centres of clusters are known, there are this many times the square root of the number of clusters. */
const pillarGrowth = 2;
/** A pillar topic with a larger share of the keywords is divided, unless it is a single cluster. */
const largestPillar = 1 / 3;
/** The resolution of modularity whose communities give the number of pillar topics by default. */
const defaultResolution = 0.85;
const resolutionSteps = 10;
const widestResolution = 64;

/** The groups of rows on each level. */
export type Levels = {
  readonly clusters: Pages;
  /** A subtopic lies within one cluster. A row may be in a cluster and in no subtopic of it. */
  readonly subtopics: Pages | undefined;
  /** The pillar topic of each cluster; undefined if there are too few clusters. */
  readonly pillarOf: Int32Array | undefined;
  readonly pillars: number;
};

/** The topic vectors of rows, and the neighbours found by these. */
type TopicFeatures = { readonly vectors: Vectors<Int8Array>; readonly neighbours: Neighbours };

/**
 * Builds all levels above keywords. Depending on the shape, clusters are the pages themselves, topics, or topics with pages as their subtopics;
 * pillar topics join similar clusters.
 *
 * @param topical features of the rows
 * @param neighbours of the rows by their page vectors
 * @param weight of each row: how many keywords it stands for
 */
export function levelsOf(
  topical: TopicFeatures,
  neighbours: Neighbours,
  pages: Pages,
  weight: Float64Array,
  settings: ClusterSettings,
): Levels {
  const graph = similarityGraph(topical.neighbours);
  const isFlat = settings.shape === 'automatic' ? pages.count <= maxFlatPages : settings.shape === 'pages';
  if (isFlat)
    return { clusters: pages, subtopics: undefined, ...pillarsOf(topical.vectors, graph, pages, weight, settings) };
  const kept = dissolveSmall(communitiesOf(graph, weight, settings), weight, settings.smallestCluster);
  const topics = joinStrays(topical.neighbours, kept, settings.joinSimilarity);
  if (settings.shape === 'topics')
    return { clusters: topics, subtopics: undefined, ...pillarsOf(topical.vectors, graph, topics, weight, settings) };
  const subtopics = pagesWithin(topics, pages, neighbours, weight, settings);
  const clusters = withoutOutsiders(topics, subtopics, pages);
  return { clusters, subtopics, ...pillarsOf(topical.vectors, graph, clusters, weight, settings) };
}

/**
 * Above this many rows, the resolution of topics grows with the square root of their number. Modularity penalises a pair of rows less the longer the
 * list is, so that topics would otherwise grow in proportion to it. This way, a longer list has both more topics and more pages in each.
 */
const ordinaryRows = 4500;

/** A topic with more than this many times the keywords of the median topic mixes several subjects, and is divided again. */
const largestTopic = 5;

function communitiesOf(
  graph: Graph,
  weight: Float64Array,
  { granularity, smallestCluster, seed }: ClusterSettings,
): Pages {
  const growth = Math.max(1, Math.sqrt(nodeCount(graph) / ordinaryRows));
  const resolution = granularity.topicResolution * growth;
  const found = renumbered(leiden(graph, { objective: 'modularity', resolution, seed }));
  const sizes = keywordsPerGroup(found, weight).filter((size) => size >= smallestCluster);
  const maxKeywords = largestTopic * (sizes.sort()[sizes.length >> 1] ?? Number.POSITIVE_INFINITY);
  const again = { objective: 'modularity', resolution: granularity.topicResolution, seed, growth: 1 } as const;
  return numberedPages(divideLarge(graph, found, weight, maxKeywords, again).of);
}

/** Divides pages at the borders of topics. That agrees better with what people call a topic than assigning each page as a whole to one topic. */
function pagesWithin(
  topics: Pages,
  pages: Pages,
  neighbours: Neighbours,
  weight: Float64Array,
  settings: ClusterSettings,
): Pages {
  /** The number of the part for each pair of page and topic. A map, because the keys may exceed 32 bits. */
  const numbers = new Map<number, number>();
  const parts = pages.of.map((page, row) => {
    if (page === stray || topics.of[row] === stray) return stray;
    const key = page * topics.count + topics.of[row]!;
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  });
  const of = dissolveSmall({ of: parts, count: numbers.size }, weight, settings.smallestCluster);
  return joinStrays(neighbours, of, settings.joinSimilarity, (row, other) => topics.of[row] === topics.of[other]);
}

/** Removes rows from topics that are neither in a subtopic nor on any page: what resembles nothing is a stray. */
function withoutOutsiders(topics: Pages, subtopics: Pages, pages: Pages): Pages {
  return numberedPages(
    topics.of.map((topic, row) => (subtopics.of[row] === stray && pages.of[row] === stray ? stray : topic)),
  );
}

type Pillars = Pick<Levels, 'pillarOf' | 'pillars'>;

/**
 * Joins similar clusters into pillar topics: communities of the topic graph that keep the rows of a cluster together. Unless the settings give their
 * number, it is the number of such communities, within limits.
 */
function pillarsOf(
  vectors: Vectors<Int8Array>,
  graph: Graph,
  pages: Pages,
  weight: Float64Array,
  settings: ClusterSettings,
): Pillars {
  if (!hasPillars(pages.count, settings)) return none;
  const communitiesAt = clusterCommunities(graph, pages, settings.seed);
  const joinedTo = (wanted: number): Int32Array => joinedClusters(communitiesAt, vectors, pages, wanted);
  if (settings.pillars !== undefined) return numberedPillars(joinedTo(settings.pillars));
  const { min, max } = pillarLimits(pages.count);
  const natural = countOf(communitiesAt(defaultResolution));
  const joined = joinedTo(Math.min(max, Math.max(min, natural)));
  return numberedPillars(withoutTooLarge(joined, vectors, pages, weight, max));
}

/** Finds the community of each cluster at a resolution. */
type CommunitiesAt = (resolution: number) => Int32Array;

/** Every stray is a group by itself while communities are found, and is then left out. */
function clusterCommunities(graph: Graph, { of, count }: Pages, seed: number): CommunitiesAt {
  let next = count;
  const groups = of.map((cluster) => (cluster < 0 ? next++ : cluster));
  const find = groupCommunities(graph, { of: groups, count: next });
  return (resolution) => find(resolution, seed).subarray(0, count);
}

/**
 * Joins clusters into `wanted` groups, or fewer: first into communities, at the resolution that gives the smallest number from `wanted` up, then by
 * the centres of these.
 */
function joinedClusters(
  communitiesAt: CommunitiesAt,
  vectors: Vectors<Int8Array>,
  { of, count }: Pages,
  wanted: number,
): Int32Array {
  let best: Int32Array = Int32Array.from({ length: count }, (_, cluster) => cluster);
  let [low, high] = [1 / widestResolution, widestResolution];
  for (let step = 0; step < resolutionSteps && countOf(best) > wanted; step++) {
    const middle = Math.sqrt(low * high);
    const found = communitiesAt(middle);
    if (countOf(found) < wanted) low = middle;
    else {
      high = middle;
      if (countOf(found) < countOf(best)) best = found;
    }
  }
  const groups = renumbered(best);
  if (groups.count <= wanted) return groups.of;
  const ofRow = of.map((cluster) => (cluster < 0 ? stray : groups.of[cluster]!));
  const joined = wardLinkage(centresOf(vectors, ofRow, groups.count), wanted);
  return groups.of.map((group) => joined[group]!);
}

/** Halves pillar topics with too large a share of the keywords, by the centres of their clusters, as long as there are fewer than `maxPillars`. */
function withoutTooLarge(
  pillars: Int32Array,
  vectors: Vectors<Int8Array>,
  pages: Pages,
  weight: Float64Array,
  maxPillars: number,
): Int32Array {
  const sizes = keywordsPerGroup(pages, weight);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let divided = renumbered(pillars);
  for (;;) {
    const inPillar = Array.from({ length: divided.count }, (): number[] => []);
    divided.of.forEach((pillar, cluster) => {
      inPillar[pillar]!.push(cluster);
    });
    const large = inPillar.find(
      (clusters) =>
        clusters.length > 1 && clusters.reduce((sum, cluster) => sum + sizes[cluster]!, 0) > largestPillar * total,
    );
    if (!large || divided.count >= maxPillars) return divided.of;
    const place = new Map(large.map((cluster, index) => [cluster, index]));
    const ofRow = pages.of.map((cluster) => place.get(cluster) ?? stray);
    const halves = wardLinkage(centresOf(vectors, ofRow, large.length), 2);
    const of = divided.of.slice();
    large.forEach((cluster, index) => {
      if (halves[index] === 1) of[cluster] = divided.count;
    });
    divided = { of, count: divided.count + 1 };
  }
}

const countOf = (groups: Int32Array): number => new Set(groups).size;

const none: Pillars = { pillarOf: undefined, pillars: 0 };

const hasPillars = (clusters: number, settings: ClusterSettings): boolean =>
  settings.hasPillars ?? (settings.pillars !== undefined || clusters >= minWithPillars);

function pillarLimits(clusters: number): { readonly min: number; readonly max: number } {
  if (clusters < minWithPillars) return { min: 1, max: clusters };
  const min = Math.min(defaultPillars.min, Math.max(minPillars, Math.round(clusters / 3)));
  return { min, max: Math.min(defaultPillars.max, Math.max(min, Math.round(clusters / 2))) };
}

function numberedPillars(groups: Int32Array): Pillars {
  const { of, count } = renumbered(groups);
  return { pillarOf: of, pillars: count };
}

/**
 * Finds pillar topics above clusters of which only the centres are known.
 *
 * @param centres computes one for each cluster; not called if there are to be no pillar topics
 */
export function pillarsAbove(centres: () => Vectors, clusters: number, settings: ClusterSettings): Pillars {
  if (!hasPillars(clusters, settings)) return none;
  const { min, max } = pillarLimits(clusters);
  const automatic = Math.min(max, Math.max(min, Math.round(pillarGrowth * Math.sqrt(clusters))));
  return numberedPillars(wardLinkage(centres(), settings.pillars ?? automatic));
}
