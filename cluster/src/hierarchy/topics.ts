import { leiden } from '../communities/leiden.ts';
import type { Vectors } from '../features/vectors.ts';
import { type Neighbours, similarityGraph } from '../neighbours/neighbours.ts';
import { centresOf, wardLinkage } from './linkage.ts';
import { dissolveSmall, joinStrays, numberedPages, type Pages } from './pages.ts';
import { type ClusterSettings, fewestWithPillars } from './settings.ts';
import { stray } from './stray.ts';

/** Above so many pages, a cluster is a topic and its pages are subtopics. */
const mostFlatPages = 300;
const fewestPillars = 5;
const mostPillars = 30;
/** Pillar topics for each root of the number of clusters: eight above forty clusters, eighteen above two hundred. */
const pillarGrowth = 1.3;

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
  if (isFlat) return { clusters: pages, subtopics: undefined, ...pillarsOf(topical, pages, settings) };
  const kept = dissolveSmall(communitiesOf(topical.neighbours, settings), weight, settings.smallestCluster);
  const topics = joinStrays(topical.neighbours, kept, settings.joinSimilarity);
  if (settings.shape === 'topics')
    return { clusters: topics, subtopics: undefined, ...pillarsOf(topical, topics, settings) };
  const subtopics = pagesWithin(topics, pages, neighbours, weight, settings);
  const clusters = withoutOutsiders(topics, subtopics, pages);
  return { clusters, subtopics, ...pillarsOf(topical, clusters, settings) };
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

/** Joins clusters about similar topics until few enough are left. */
const pillarsOf = (
  { vectors }: TopicFeatures,
  { of, count }: Pages,
  settings: ClusterSettings,
): Pick<Levels, 'pillarOf' | 'pillars'> => pillarsAbove(() => centresOf(vectors, of, count), count, settings);

/**
 * The pillar topics above clusters.
 *
 * @param centres one for each cluster; asked for if there are pillar topics
 */
export function pillarsAbove(
  centres: () => Vectors,
  clusters: number,
  settings: ClusterSettings,
): Pick<Levels, 'pillarOf' | 'pillars'> {
  const areEnough = clusters >= fewestWithPillars;
  const hasPillars = settings.hasPillars ?? (settings.pillars !== undefined || areEnough);
  if (!hasPillars) return { pillarOf: undefined, pillars: 0 };
  const automatic = Math.round(pillarGrowth * Math.sqrt(clusters));
  const wanted = settings.pillars ?? Math.min(mostPillars, Math.max(areEnough ? fewestPillars : 1, automatic));
  const pillarOf = wardLinkage(centres(), wanted);
  return { pillarOf, pillars: 1 + pillarOf.reduce((most, pillar) => Math.max(most, pillar), -1) };
}
