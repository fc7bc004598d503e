import { groupCommunities, leiden } from '../communities/leiden.ts';
import { renumbered } from '../communities/partition.ts';
import type { Vectors } from '../features/vectors.ts';
import { type Neighbours, similarityGraph } from '../neighbours/neighbours.ts';
import { centresOf, wardLinkage } from './linkage.ts';
import { dissolveSmall, divideLarge, joinStrays, keywordsPerGroup, numberedPages, type Pages } from './pages.ts';
import { type ClusterSettings, fewestWithPillars } from './settings.ts';
import { stray } from './stray.ts';

/** Above so many pages, a cluster is a topic and its pages are subtopics. */
const mostFlatPages = 300;

/** How many pillar topics there are, unless somebody says. Few clusters have fewer: two to three in each. */
const usualPillars = { fewest: 15, most: 35 };
const fewestPillars = 5;
/** Pillar topics for each root of the number of clusters, where nothing is known of how keywords hang together. */
const pillarGrowth = 2;
/** A pillar topic with more of the keywords is no topic, unless it is one cluster. */
const largestPillar = 1 / 3;
/** Modularity as it was defined. */
const usualResolution = 0.85;
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

/** Rows by what they are about rather than how they are worded. */
export type TopicFeatures = { readonly vectors: Vectors<Int8Array>; readonly neighbours: Neighbours };

/**
 * Builds the upper levels: topics, and pillar topics that join similar ones.
 *
 * @param topical features of the rows
 * @param neighbours of the rows among pages
 * @param weight of each row: how many keywords it stands for
 */
export function levelsOf(
  topical: TopicFeatures,
  neighbours: Neighbours,
  pages: Pages,
  weight: Float64Array,
  settings: ClusterSettings,
): Levels {
  const isFlat = settings.shape === 'automatic' ? pages.count <= mostFlatPages : settings.shape === 'pages';
  if (isFlat) return { clusters: pages, subtopics: undefined, ...pillarsOf(topical, pages, weight, settings) };
  const kept = dissolveSmall(communitiesOf(topical.neighbours, weight, settings), weight, settings.smallestCluster);
  const topics = joinStrays(topical.neighbours, kept, settings.joinSimilarity);
  if (settings.shape === 'topics')
    return { clusters: topics, subtopics: undefined, ...pillarsOf(topical, topics, weight, settings) };
  const subtopics = pagesWithin(topics, pages, neighbours, weight, settings);
  const clusters = withoutOutsiders(topics, subtopics, pages);
  return { clusters, subtopics, ...pillarsOf(topical, clusters, weight, settings) };
}

/**
 * Modularity charges a pair of rows less the longer the list is, so that topics would grow with it. The resolution grows
 * with the square root of the list in return: there are more topics in a longer list, and more pages in each.
 */
const ordinaryRows = 4500;

/** A topic with so many times the keywords of the middle one is a bucket of everything, and divided again. */
const largestTopic = 5;

function communitiesOf(
  neighbours: Neighbours,
  weight: Float64Array,
  { granularity, smallestCluster, seed }: ClusterSettings,
): Pages {
  const growth = Math.max(1, Math.sqrt(neighbours.to.length / neighbours.count / ordinaryRows));
  const resolution = granularity.topicResolution * growth;
  const graph = similarityGraph(neighbours);
  const found = renumbered(leiden(graph, { objective: 'modularity', resolution, seed }));
  const sizes = keywordsPerGroup(found, weight).filter((size) => size >= smallestCluster);
  const most = largestTopic * (sizes.sort()[sizes.length >> 1] ?? 0);
  const again = { objective: 'modularity', resolution: granularity.topicResolution, seed, growth: 1 } as const;
  return numberedPages(divideLarge(graph, found, weight, most, again).of);
}

/**
 * Divides pages at the borders of topics. Dividing topics into pages agrees better with what people call a topic than
 * putting each page as a whole into one.
 */
function pagesWithin(
  topics: Pages,
  pages: Pages,
  neighbours: Neighbours,
  weight: Float64Array,
  settings: ClusterSettings,
): Pages {
  /** The part for each page and topic; their product may exceed 32 bits. */
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

/** Takes those rows out of topics that are on no page, of that topic or any: what nothing resembles is a stray. */
function withoutOutsiders(topics: Pages, subtopics: Pages, pages: Pages): Pages {
  return numberedPages(
    topics.of.map((topic, row) => (subtopics.of[row] === stray && pages.of[row] === stray ? stray : topic)),
  );
}

type Pillars = Pick<Levels, 'pillarOf' | 'pillars'>;

/**
 * Joins clusters whose keywords resemble each other: communities of the graph of topics in which a cluster stays together.
 * By default they are as many as that graph has, in limits. If their number is given, the resolution that gives about as
 * many is looked for, and what is too many is joined by the centres.
 */
function pillarsOf(
  { vectors, neighbours }: TopicFeatures,
  { of, count }: Pages,
  weight: Float64Array,
  settings: ClusterSettings,
): Pillars {
  if (!hasPillars(count, settings)) return none;
  const communitiesAt = clusterCommunities(neighbours, { of, count });
  const found = settings.pillars ?? naturalPillars();
  return numberedPillars(joinedTo(Math.min(found, count)));

  /** As many as there are communities, and more if one of them has too much. */
  function naturalPillars(): number {
    const { fewest, most } = pillarLimits(count);
    const size = keywordsPerGroup({ of, count }, weight);
    const total = size.reduce((sum, one) => sum + one, 0);
    const isTooLarge = (pillars: Int32Array): boolean => {
      const sums = new Map<number, { size: number; clusters: number }>();
      pillars.forEach((pillar, cluster) => {
        const sum = sums.get(pillar) ?? { size: 0, clusters: 0 };
        sums.set(pillar, { size: sum.size + size[cluster]!, clusters: sum.clusters + 1 });
      });
      return [...sums.values()].some((sum) => sum.clusters > 1 && sum.size > largestPillar * total);
    };
    let wanted = Math.min(most, Math.max(fewest, countOf(communitiesAt(usualResolution, settings.seed))));
    while (wanted < most && isTooLarge(joinedTo(wanted))) wanted++;
    return wanted;
  }

  /** Clusters in so many groups. */
  function joinedTo(wanted: number): Int32Array {
    let best: Int32Array = Int32Array.from({ length: count }, (_, cluster) => cluster);
    let [low, high] = [1 / widestResolution, widestResolution];
    for (let step = 0; step < resolutionSteps && countOf(best) !== wanted; step++) {
      const middle = Math.sqrt(low * high);
      const found = communitiesAt(middle, settings.seed);
      if (countOf(found) < wanted) low = middle;
      else {
        high = middle;
        if (countOf(found) < countOf(best)) best = found;
      }
    }
    const groups = renumbered(best);
    if (groups.count <= wanted) return groups.of;
    const centres = centresOf(
      vectors,
      of.map((cluster) => (cluster < 0 ? stray : groups.of[cluster]!)),
      groups.count,
    );
    const joined = wardLinkage(centres, wanted);
    return groups.of.map((group) => joined[group]!);
  }
}

/** The communities of clusters at a resolution. Strays are by themselves. */
function clusterCommunities(neighbours: Neighbours, { of, count }: Pages) {
  let next = count;
  const groups = { of: of.map((cluster) => (cluster < 0 ? next++ : cluster)), count: next };
  const find = groupCommunities(similarityGraph(neighbours), { ...groups, count: next });
  return (resolution: number, seed: number): Int32Array => find(resolution, seed).subarray(0, count);
}

const countOf = (groups: Int32Array): number => new Set(groups).size;

const none: Pillars = { pillarOf: undefined, pillars: 0 };

const hasPillars = (clusters: number, settings: ClusterSettings): boolean =>
  settings.hasPillars ?? (settings.pillars !== undefined || clusters >= fewestWithPillars);

function pillarLimits(clusters: number): { readonly fewest: number; readonly most: number } {
  if (clusters < fewestWithPillars) return { fewest: 1, most: clusters };
  const fewest = Math.min(usualPillars.fewest, Math.max(fewestPillars, Math.round(clusters / 3)));
  return { fewest, most: Math.min(usualPillars.most, Math.max(fewest, Math.round(clusters / 2))) };
}

function numberedPillars(groups: Int32Array): Pillars {
  const { of, count } = renumbered(groups);
  return { pillarOf: of, pillars: count };
}

/**
 * The pillar topics above clusters of which only the centres are known.
 *
 * @param centres one for each cluster; asked for if there are pillar topics
 */
export function pillarsAbove(centres: () => Vectors, clusters: number, settings: ClusterSettings): Pillars {
  if (!hasPillars(clusters, settings)) return none;
  const { fewest, most } = pillarLimits(clusters);
  const automatic = Math.min(most, Math.max(fewest, Math.round(pillarGrowth * Math.sqrt(clusters))));
  return numberedPillars(wardLinkage(centres(), settings.pillars ?? automatic));
}
