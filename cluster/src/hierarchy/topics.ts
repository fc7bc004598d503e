import { leiden } from '../communities/leiden.ts';
import type { Vectors } from '../features/vectors.ts';
import { type Neighbours, similarityGraph } from '../neighbours/neighbours.ts';
import { averageLinkage, centresOf } from './linkage.ts';
import { dissolveSmall, joinStrays, numberedPages, type Pages } from './pages.ts';
import type { ClusterSettings } from './settings.ts';
import { stray } from './stray.ts';

/** Above so many pages, a cluster is a topic and its pages are subtopics. */
const mostFlatPages = 300;
/** With fewer clusters than this there is no level above them. */
const fewestWithPillars = 8;
const fewestPillars = 5;
const mostPillars = 30;

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
  const communities = communitiesOf(topical.neighbours, settings);
  const isFlat = settings.shape === 'automatic' ? pages.count <= mostFlatPages : settings.shape === 'pages';
  if (isFlat)
    return { clusters: pages, subtopics: undefined, ...pillarsOf(topical, communities, pages, weight, settings) };
  const kept = dissolveSmall(communities, weight, settings.smallestCluster);
  const topics = joinStrays(topical.neighbours, kept, settings.joinSimilarity);
  if (settings.shape === 'topics')
    return { clusters: topics, subtopics: undefined, ...pillarsOf(topical, topics, topics, weight, settings) };
  const subtopics = pagesWithin(topics, pages, neighbours, weight, settings);
  const clusters = withoutOutsiders(topics, subtopics, pages);
  return { clusters, subtopics, ...pillarsOf(topical, clusters, clusters, weight, settings) };
}

/**
 * Modularity charges a pair of rows less the longer the list is, so that topics would grow with it. The resolution grows
 * with the square root of the list in return: there are more topics in a longer list, and more pages in each.
 */
const ordinaryRows = 4500;

function communitiesOf(neighbours: Neighbours, { granularity, seed }: ClusterSettings): Pages {
  const growth = Math.max(1, Math.sqrt(neighbours.to.length / neighbours.count / ordinaryRows));
  const resolution = granularity.topicResolution * growth;
  return numberedPages(leiden(similarityGraph(neighbours), { objective: 'modularity', resolution, seed }));
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

/** Joins topics until few enough are left, and puts each cluster where most of its keywords are. */
function pillarsOf(
  { vectors }: TopicFeatures,
  topics: Pages,
  clusters: Pages,
  weight: Float64Array,
  settings: ClusterSettings,
): Pick<Levels, 'pillarOf' | 'pillars'> {
  if (settings.pillars === undefined && clusters.count < fewestWithPillars) return { pillarOf: undefined, pillars: 0 };
  const automatic = Math.round((2 * Math.sqrt(clusters.count)) / 3);
  const wanted = settings.pillars ?? Math.min(mostPillars, Math.max(fewestPillars, automatic));
  const sizes = new Float64Array(topics.count);
  topics.of.forEach((topic, row) => {
    if (topic !== stray) sizes[topic]! += weight[row]!;
  });
  const pillarOfTopic = averageLinkage(centresOf(vectors, topics.of, topics.count), sizes, wanted);
  const pillarOfRow = topics.of.map((topic) => (topic === stray ? stray : pillarOfTopic[topic]!));
  const of = majority(clusters, pillarOfRow, weight);
  return { pillarOf: of, pillars: 1 + of.reduce((most, pillar) => Math.max(most, pillar), -1) };
}

/**
 * The group that most of a cluster's keywords are in, numbered in the order of clusters; of several, the one that is met
 * first.
 */
function majority(clusters: Pages, groups: Int32Array, weight: Float64Array): Int32Array {
  const votes = Array.from({ length: clusters.count }, () => new Map<number, number>());
  clusters.of.forEach((cluster, row) => {
    const group = groups[row]!;
    if (cluster === stray || group === stray) return;
    votes[cluster]!.set(group, (votes[cluster]!.get(group) ?? 0) + weight[row]!);
  });
  const numbers = new Map<number, number>();
  return Int32Array.from(votes, (counts) => {
    let best = -1;
    for (const [group, count] of counts) if (best < 0 || count > counts.get(best)!) best = group;
    if (!numbers.has(best)) numbers.set(best, numbers.size);
    return numbers.get(best)!;
  });
}
