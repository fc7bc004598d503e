import type { Sharing } from '@kc/pack/vocabulary/choices';
import { type Graph, nodeCount } from '../communities/graph.ts';
import { leiden } from '../communities/leiden.ts';
import { connectedParts, renumbered } from '../communities/partition.ts';

/** For `smart`: the mean number of URLs that pairs in a group must share, which is a resolution of `cpm`. */
const smartResolution = 1;

/**
 * Groups keywords by a graph of shared URLs, in which those that share enough have an edge.
 *
 * @param volume decides which keyword comes first; NaN where unknown, which is less than any
 * @returns the group of each keyword, in no particular numbering; one without a partner has a group of its own
 */
export function sharingGroups(graph: Graph, volume: Float64Array, sharing: Sharing, seed: number): Int32Array {
  if (sharing === 'moderate') return connectedParts(graph).of;
  if (sharing === 'smart') return leiden(graph, { objective: 'cpm', resolution: smartResolution, seed });
  const order = byDescendingVolume(volume);
  return renumbered(sharing === 'soft' ? softGroups(graph, order) : hardGroups(graph, order)).of;
}

/** Rows by descending volume; equal ones in the order of the file. */
function byDescendingVolume(volume: Float64Array): Uint32Array {
  const known = volume.map((value) => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value));
  return Uint32Array.from(volume, (_, row) => row).sort((a, b) =>
    known[a] === known[b] ? a - b : known[b]! - known[a]!,
  );
}

/** In order, each keyword without a group opens one, and takes in all others without a group that it has an edge to. */
function softGroups({ offset, to }: Graph, order: Uint32Array): Int32Array {
  const of = new Int32Array(order.length).fill(-1);
  for (const main of order) {
    if (of[main] !== -1) continue;
    of[main] = main;
    for (let at = offset[main]!; at < offset[main + 1]!; at++) if (of[to[at]!] === -1) of[to[at]!] = main;
  }
  return of;
}

/** In order, each keyword without a group opens one. Later ones without a group join it if they have an edge to all its members. */
function hardGroups(graph: Graph, order: Uint32Array): Int32Array {
  const { offset, to } = graph;
  const of = new Int32Array(nodeCount(graph)).fill(-1);
  const rank = new Uint32Array(order.length);
  order.forEach((keyword, index) => {
    rank[keyword] = index;
  });
  /** How many members of the group in progress a keyword has an edge to. */
  const ties = new Uint32Array(order.length);
  for (const main of order) {
    if (of[main] !== -1) continue;
    const members: number[] = [];
    const join = (keyword: number): void => {
      of[keyword] = main;
      members.push(keyword);
      for (let at = offset[keyword]!; at < offset[keyword + 1]!; at++) ties[to[at]!]!++;
    };
    join(main);
    const candidates = to.slice(offset[main], offset[main + 1]).filter((keyword) => of[keyword] === -1);
    for (const keyword of candidates.sort((a, b) => rank[a]! - rank[b]!))
      if (ties[keyword] === members.length) join(keyword);
    for (const keyword of members) for (let at = offset[keyword]!; at < offset[keyword + 1]!; at++) ties[to[at]!] = 0;
  }
  return of;
}
