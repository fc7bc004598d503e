import { connectedParts } from './connected-parts.ts';
import { type Graph, nodeCount } from './graph.ts';
import { moveNodes } from './move-nodes.ts';
import { type Level, merged, type Numbered, type Partition, renumbered } from './partition.ts';
import { randomNumbers } from './random.ts';
import { refine } from './refine.ts';

export type CommunityOptions = {
  /**
   * What a partition is rewarded for. `cpm` (constant Potts model): communities whose members share more than
   * `resolution` weight per pair, whatever the size of the graph. `modularity`: more weight inside than a random graph
   * with the same degrees would have, times `resolution`.
   */
  readonly objective: 'cpm' | 'modularity';
  /** Higher means smaller communities. */
  readonly resolution: number;
  readonly seed: number;
};

/** Each pass begins with the communities of the one before; later ones find little. */
const mostPasses = 5;

/**
 * Finds communities by the Leiden algorithm (Traag, Waltman and van Eck, 2019): moves nodes to the community they gain
 * most from, refines each community into well-connected parts, merges the parts into nodes, and begins again until nothing
 * moves. Every community is connected. Equal graphs and options give equal results.
 *
 * @returns the community of each node: numbers from 0, in the order of their first nodes
 */
export const leiden = (graph: Graph, { objective, resolution, seed }: CommunityOptions): Int32Array =>
  communitiesOf(firstLevel(graph, objective, resolution), seed);

/**
 * Finds communities of groups of nodes by modularity: the nodes of a group stay together.
 *
 * @param groups every node is in one
 * @returns finds the community of each group
 */
export function groupCommunities(graph: Graph, groups: Numbered): (resolution: number, seed: number) => Int32Array {
  const level = merged(firstLevel(graph, 'modularity', 1), groups);
  return (resolution, seed) => communitiesOf({ ...level, penalty: resolution * level.penalty }, seed);
}

function communitiesOf(first: Level, seed: number): Int32Array {
  const random = randomNumbers(seed);
  let communities: Partition = Int32Array.from({ length: first.mass.length }, (_, node) => node);
  for (let pass = 0; pass < mostPasses; pass++) {
    const next = renumbered(improved(first, communities, random)).of;
    if (pass > 0 && next.every((community, node) => community === communities[node])) break;
    communities = next;
  }
  return connectedParts(first, communities).of;
}

/** One pass over all levels, from a partition to one that is worth at least as much. */
function improved(first: Level, start: Partition, random: () => number): Partition {
  let level = first;
  let communities: Partition = start.slice();
  /** The node of the current level that each node of the graph is part of. */
  const partOf = Int32Array.from(start, (_, node) => node);
  for (;;) {
    const { moved, order } = moveNodes(level, communities, random);
    const parts = renumbered(refine(level, communities, order));
    // The first pass over given communities merges them even if no node moves on its own.
    const isDone = (!moved && level !== first) || parts.count === communities.length;
    if (isDone) break;
    const next = merged(level, parts);
    const inherited = new Int32Array(parts.count);
    for (let node = 0; node < communities.length; node++) inherited[parts.of[node]!] = communities[node]!;
    for (let node = 0; node < partOf.length; node++) partOf[node] = parts.of[partOf[node]!]!;
    communities = renumbered(inherited).of;
    level = next;
  }
  return Int32Array.from(partOf, (part) => communities[part]!);
}

function firstLevel(graph: Graph, objective: CommunityOptions['objective'], resolution: number): Level {
  const mass = new Float64Array(nodeCount(graph)).fill(1);
  if (objective === 'cpm') return { ...graph, mass, penalty: resolution };
  let total = 0;
  for (let node = 0; node < mass.length; node++) {
    let degree = 0;
    for (let at = graph.offset[node]!; at < graph.offset[node + 1]!; at++) degree += graph.weight[at]!;
    mass[node] = degree;
    total += degree;
  }
  return { ...graph, mass, penalty: total > 0 ? resolution / total : 0 };
}
