import { type EachEdge, type Graph, graphOf, nodeCount } from '../communities/graph.ts';
import { type CommunityOptions, isLong, leiden } from '../communities/leiden.ts';
import { membersOf, type Numbered, renumbered } from '../communities/partition.ts';
import { type Neighbours, similarityGraph } from '../neighbours/neighbours.ts';
import type { ClusterSettings } from './settings.ts';

/** The page of each row, or `stray`; pages are numbered from 0 in the order of their first rows. */
export type Pages = { readonly of: Int32Array; readonly count: number };

/**
 * Divides rows into groups that one page can answer: communities of similar rows, of which too large ones are divided again
 * and too small ones are dissolved. A row of a dissolved group joins the page that its nearest neighbours are on, if they
 * are similar enough.
 *
 * @param neighbours of the rows
 * @param weight of each row: how many keywords it stands for
 */
export function pagesOf(neighbours: Neighbours, weight: Float64Array, settings: ClusterSettings): Pages {
  const graph = similarityGraph(neighbours);
  const resolution = settings.granularity.pageResolution;
  const found = renumbered(leiden(graph, { objective: 'cpm', resolution, seed: settings.seed }));
  const total = weight.reduce((sum, one) => sum + one, 0);
  const maxKeywords = Math.max(alwaysAllowed, settings.largestShare * total);
  const options = { objective: 'cpm', resolution: 2 * resolution, seed: settings.seed, growth: 2 } as const;
  const divided = divideLarge(graph, found, weight, maxKeywords, options);
  return joinStrays(neighbours, dissolveSmall(divided, weight, settings.smallestCluster), settings.joinSimilarity);
}

/** A page with at most this many keywords is never too large, however short the list is. */
const alwaysAllowed = 50;
const maxDoublings = 6;

/**
 * Divides groups with too many keywords again, and then their parts that are still too large. The resolution doubles for a group that stays whole.
 *
 * @param maxKeywords the maximum number of keywords of a group, unless it cannot be divided
 * @param growth what the resolution is multiplied by from a group to its parts
 */
export function divideLarge(
  graph: Graph,
  groups: Numbered,
  weight: Float64Array,
  maxKeywords: number,
  { growth, ...options }: CommunityOptions & { readonly growth: number },
): Numbered {
  const of = groups.of.slice();
  let count = groups.count;
  const isPartOfLong = isLong(nodeCount(graph));
  const divide = (members: Uint32Array, resolution: number, doublings: number): void => {
    if (sumOf(weight, members) <= maxKeywords || doublings > maxDoublings) return;
    const parts = renumbered(leiden(inside(graph, members), { ...options, resolution, isPartOfLong }));
    if (parts.count === 1) {
      divide(members, 2 * resolution, doublings + 1);
      return;
    }
    const { offset, node } = membersOf(parts);
    for (let part = 0; part < parts.count; part++) {
      const rows = node.slice(offset[part], offset[part + 1]).map((member) => members[member]!);
      // The first part keeps the group's number.
      if (part > 0) for (const row of rows) of[row] = count;
      if (part > 0) count++;
      divide(rows, growth * resolution, doublings + 1);
    }
  };
  const { offset, node } = membersOf(groups);
  for (let group = 0; group < groups.count; group++)
    divide(node.slice(offset[group], offset[group + 1]), options.resolution, 1);
  return renumbered(of);
}

/** The subgraph of some nodes. */
function inside(graph: Graph, members: Uint32Array): Graph {
  const place = new Map(Array.from(members, (node, index) => [node, index]));
  const from: number[] = [];
  const to: number[] = [];
  const weight: number[] = [];
  members.forEach((node, index) => {
    for (let at = graph.offset[node]!; at < graph.offset[node + 1]!; at++) {
      const other = place.get(graph.to[at]!);
      if (other === undefined || other < index) continue;
      from.push(index);
      to.push(other);
      weight.push(graph.weight[at]!);
    }
  });
  return graphOf(members.length, {
    from: Uint32Array.from(from),
    to: Uint32Array.from(to),
    weight: Float32Array.from(weight),
  });
}

/** Makes strays of the rows of groups with too few keywords. */
export function dissolveSmall({ of, count }: Pages, weight: Float64Array, smallest: number): Int32Array {
  const sizes = keywordsPerGroup({ of, count }, weight);
  return of.map((group) => (group === stray || sizes[group]! < smallest ? stray : group));
}

/**
 * Lets strays join the group that their neighbours are in.
 *
 * @param minSimilarity the minimum mean similarity to members of the group
 * @param isAllowed whether a row may join the group of a neighbour; by default always
 */
export function joinStrays(
  neighbours: Neighbours,
  of: Int32Array,
  minSimilarity: number,
  isAllowed: (row: number, neighbour: number) => boolean = () => true,
): Pages {
  const sizes = rowsPerGroup(of, 1 + of.reduce((max, group) => Math.max(max, group), -1));
  const joined = of.map((group, row) =>
    group === stray
      ? joinedGroup(neighbours, row, (other) => (isAllowed(row, other) ? of[other]! : stray), sizes, minSimilarity)
      : group,
  );
  return numberedPages(joined);
}

/** Numbers groups from 0 in the order of their first rows. */
export function numberedPages(of: Int32Array): Pages {
  const numbers = new Map<number, number>();
  for (const group of of) if (group !== stray && !numbers.has(group)) numbers.set(group, numbers.size);
  return { of: of.map((group) => (group === stray ? stray : numbers.get(group)!)), count: numbers.size };
}

/** How many keywords each group has; rows of group −1 do not count. */
export function keywordsPerGroup({ of, count }: Pages, weight: Float64Array): Float64Array {
  const sizes = new Float64Array(count);
  of.forEach((group, row) => {
    if (group !== stray) sizes[group]! += weight[row]!;
  });
  return sizes;
}

const sumOf = (weight: Float64Array, rows: Uint32Array): number => rows.reduce((sum, row) => sum + weight[row]!, 0);

/** For each division, the share of edge weight at the rows of each group that stays inside it, from 0 to 1; NaN for a group without edges. */
export function confidenceOf(eachEdge: EachEdge, divisions: readonly Pages[]): Float64Array[] {
  const sums = divisions.map(({ of, count }) => ({ of, inner: new Float64Array(count), all: new Float64Array(count) }));
  eachEdge((one, other, weight) => {
    for (const { of, inner, all } of sums) {
      const [page, otherPage] = [of[one]!, of[other]!];
      if (page !== stray) all[page]! += weight;
      if (otherPage !== stray) all[otherPage]! += weight;
      if (page !== stray && page === otherPage) inner[page]! += 2 * weight;
    }
  });
  return sums.map(({ inner, all }) => inner.map((weight, page) => weight / all[page]!));
}

/** How many members of a group decide whether a row may join it. */
const votes = 3;

/**
 * Chooses the group that a row joins: the one with the highest mean similarity to the row. The mean is over the three nearest members, or all members
 * of a smaller group; members that are not among the row's neighbours count as 0.
 *
 * @param of the group of each neighbour, or `stray`
 * @param sizes of the groups, in rows
 * @param minSimilarity the minimum mean similarity
 * @returns `stray` if no group is similar enough
 */
function joinedGroup(
  { count, to, similarity }: Neighbours,
  row: number,
  of: (neighbour: number) => number,
  sizes: ArrayLike<number>,
  minSimilarity: number,
): number {
  const sums = new Map<number, { readonly sum: number; readonly voters: number }>();
  for (let at = row * count; at < (row + 1) * count; at++) {
    const group = to[at]! < 0 ? stray : of(to[at]!);
    if (group === stray) continue;
    const { sum, voters } = sums.get(group) ?? { sum: 0, voters: 0 };
    if (voters < votes) sums.set(group, { sum: sum + similarity[at]!, voters: voters + 1 });
  }
  let best = stray;
  let bestMean = 0;
  for (const [group, { sum }] of sums) {
    const mean = sum / Math.min(votes, sizes[group]!);
    if (mean < minSimilarity || mean <= bestMean) continue;
    best = group;
    bestMean = mean;
  }
  return best;
}

/** How many rows each group has; rows of group −1 do not count. */
function rowsPerGroup(of: Int32Array, groups: number): Uint32Array {
  const sizes = new Uint32Array(groups);
  for (const group of of) if (group >= 0) sizes[group]!++;
  return sizes;
}

/** A row that belongs to no group. */
export const stray = -1;
