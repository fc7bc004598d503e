import { type Graph, graphOf, nodeCount } from '../communities/graph.ts';
import { leiden } from '../communities/leiden.ts';
import { membersOf, type Numbered, renumbered } from '../communities/partition.ts';
import { type Neighbours, similarityGraph } from '../neighbours/neighbours.ts';
import type { ClusterSettings } from './settings.ts';

/** A row that belongs to no page. */
export const stray = -1;

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
  const { page } = settings.granularity;
  const graph = similarityGraph(neighbours, page.leastSimilarity);
  const found = renumbered(leiden(graph, { objective: 'cpm', resolution: page.resolution, seed: settings.seed }));
  const divided = divideLarge(graph, found, weight, settings);
  return joinStrays(neighbours, dissolveSmall(divided, weight, settings.smallestCluster), settings.joinSimilarity);
}

/** A page may hold so many keywords, however short the list is. */
const alwaysAllowed = 50;
const mostDoublings = 6;

function divideLarge(graph: Graph, pages: Numbered, weight: Float64Array, settings: ClusterSettings): Numbered {
  const total = weight.reduce((sum, one) => sum + one, 0);
  const most = Math.max(alwaysAllowed, settings.largestShare * total);
  const of = pages.of.slice();
  let count = pages.count;
  const divide = (members: Uint32Array, resolution: number, doublings: number): void => {
    if (sumOf(weight, members) <= most || doublings > mostDoublings) return;
    const parts = renumbered(leiden(inside(graph, members), { objective: 'cpm', resolution, seed: settings.seed }));
    if (parts.count === 1) return divide(members, 2 * resolution, doublings + 1);
    const { offset, node } = membersOf(parts);
    for (let part = 0; part < parts.count; part++) {
      const rows = node.slice(offset[part], offset[part + 1]).map((member) => members[member]!);
      // The first part keeps the page's number.
      if (part > 0) for (const row of rows) of[row] = count;
      if (part > 0) count++;
      divide(rows, 2 * resolution, doublings + 1);
    }
  };
  const { offset, node } = membersOf(pages);
  for (let page = 0; page < pages.count; page++)
    divide(node.slice(offset[page], offset[page + 1]), 2 * settings.granularity.page.resolution, 1);
  return renumbered(of);
}

/** The graph of some nodes and the edges among them. */
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

function dissolveSmall(pages: Numbered, weight: Float64Array, smallest: number): Int32Array {
  const sizes = new Float64Array(pages.count);
  pages.of.forEach((page, row) => {
    sizes[page]! += weight[row]!;
  });
  return pages.of.map((page) => (sizes[page]! < smallest ? stray : page));
}

/** So many of a page's members must be similar to a row that joins it. */
const votes = 3;

function joinStrays({ count, to, similarity }: Neighbours, of: Int32Array, least: number): Pages {
  const sizes = new Map<number, number>();
  for (const page of of) if (page !== stray) sizes.set(page, (sizes.get(page) ?? 0) + 1);
  const joined = of.map((page, row) => {
    if (page !== stray) return page;
    const sums = new Map<number, { sum: number; voters: number }>();
    for (let at = row * count; at < (row + 1) * count; at++) {
      const other = to[at]! < 0 ? stray : of[to[at]!]!;
      if (other === stray) continue;
      const vote = sums.get(other) ?? { sum: 0, voters: 0 };
      if (vote.voters < votes) sums.set(other, { sum: vote.sum + similarity[at]!, voters: vote.voters + 1 });
    }
    let best = stray;
    let bestMean = 0;
    for (const [other, { sum }] of sums) {
      const mean = sum / Math.min(votes, sizes.get(other)!);
      if (mean >= least && mean > bestMean) {
        best = other;
        bestMean = mean;
      }
    }
    return best;
  });
  const numbers = new Map<number, number>();
  for (const page of joined) if (page !== stray && !numbers.has(page)) numbers.set(page, numbers.size);
  return { of: joined.map((page) => (page === stray ? stray : numbers.get(page)!)), count: numbers.size };
}

const sumOf = (weight: Float64Array, rows: Uint32Array): number => rows.reduce((sum, row) => sum + weight[row]!, 0);

/** Of each page, the share of its rows' edges that stay inside, from 0 to 1; NaN for a page without edges. */
export function confidenceOf(neighbours: Neighbours, pages: Pages, leastSimilarity: number): Float64Array {
  const graph = similarityGraph(neighbours, leastSimilarity);
  const inner = new Float64Array(pages.count);
  const all = new Float64Array(pages.count);
  for (let row = 0; row < nodeCount(graph); row++) {
    const page = pages.of[row]!;
    if (page === stray) continue;
    for (let at = graph.offset[row]!; at < graph.offset[row + 1]!; at++) {
      all[page]! += graph.weight[at]!;
      if (pages.of[graph.to[at]!] === page) inner[page]! += graph.weight[at]!;
    }
  }
  return inner.map((weight, page) => weight / all[page]!);
}
