import { leiden } from '../communities/leiden.ts';
import type { Vectors } from '../features/vectors.ts';
import { type Neighbours, similarityGraph } from '../neighbours/neighbours.ts';
import { averageLinkage, centresOf } from './linkage.ts';
import { type Pages, stray } from './pages.ts';
import type { ClusterSettings } from './settings.ts';

/** Above so many pages, a cluster is a topic and its pages are subtopics. */
const mostFlatPages = 300;
/** With fewer clusters than this there is no level above them. */
const fewestWithPillars = 8;
const fewestPillars = 5;
const mostPillars = 30;

/** The upper levels. Every page is in one cluster, and every cluster in one pillar topic. */
export type Levels = {
  /** The cluster of each page. */
  readonly clusterOf: Int32Array;
  readonly clusters: number;
  /** Whether clusters are divided into their pages. */
  readonly hasSubtopics: boolean;
  /** The pillar topic of each cluster; none if there are too few clusters. */
  readonly pillarOf: Int32Array | undefined;
  readonly pillars: number;
};

/**
 * Groups pages into topics, and topics into pillar topics.
 *
 * @param vectors and neighbours of the rows, by what they are about rather than how they are worded
 * @param weight of each row: how many keywords it stands for
 */
export function levelsOf(
  vectors: Vectors,
  neighbours: Neighbours,
  pages: Pages,
  weight: Float64Array,
  settings: ClusterSettings,
): Levels {
  const communities = leiden(similarityGraph(neighbours, 0), {
    objective: 'modularity',
    resolution: settings.granularity.topicResolution,
    seed: settings.seed,
  });
  const topics = majority(pages, communities, weight);
  const hasSubtopics = pages.count > mostFlatPages;
  const clusterOf = hasSubtopics ? topics.of : Int32Array.from({ length: pages.count }, (_, page) => page);
  const clusters = hasSubtopics ? topics.count : pages.count;
  if (clusters < fewestWithPillars) return { clusterOf, clusters, hasSubtopics, pillarOf: undefined, pillars: 0 };
  const wanted = Math.min(mostPillars, Math.max(fewestPillars, Math.round((2 * Math.sqrt(clusters)) / 3)));
  const topicOfRow = pages.of.map((page) => (page === stray ? stray : topics.of[page]!));
  const size = new Float64Array(topics.count);
  topicOfRow.forEach((topic, row) => {
    if (topic >= 0) size[topic]! += weight[row]!;
  });
  const pillarOfTopic = averageLinkage(centresOf(vectors, topicOfRow, topics.count), size, wanted);
  return {
    clusterOf,
    clusters,
    hasSubtopics,
    pillarOf: hasSubtopics ? pillarOfTopic : topics.of.map((topic) => pillarOfTopic[topic]!),
    pillars: 1 + pillarOfTopic.reduce((most, pillar) => Math.max(most, pillar), -1),
  };
}

/** The community that most of a page's keywords are in; of several, the one that is met first. */
function majority(pages: Pages, communities: Int32Array, weight: Float64Array): Pages {
  const votes = Array.from({ length: pages.count }, () => new Map<number, number>());
  pages.of.forEach((page, row) => {
    if (page === stray) return;
    const community = communities[row]!;
    votes[page]!.set(community, (votes[page]!.get(community) ?? 0) + weight[row]!);
  });
  const numbers = new Map<number, number>();
  const of = Int32Array.from(votes, (counts) => {
    let best = -1;
    for (const [community, count] of counts) if (best < 0 || count > counts.get(best)!) best = community;
    if (!numbers.has(best)) numbers.set(best, numbers.size);
    return numbers.get(best)!;
  });
  return { of, count: numbers.size };
}
