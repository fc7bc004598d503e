import { type Graph, nodeCount } from './graph.ts';
import { connectedParts, type Level, merged, type Numbered, type Partition, renumbered } from './partition.ts';
import { randomNumbers, shuffled } from './random.ts';

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
  /** Whether the graph is a part of a long list's graph: it is then divided in one run, however small it is. */
  readonly isPartOfLong?: boolean;
};

/** A small graph is divided several times: in as many runs as look at about this many nodes together. */
const nodesOfRuns = 24_000;
const maxRuns = 16;
/** With fewer runs there is only one: what two agree on is hardly better. */
const minRuns = 3;

/**
 * Each pass begins with the communities of the last one, and later passes improve little. With 40,000 nodes, the fourth and fifth together add a
 * two-thousandth of the worth of a division.
 */
const maxPasses = (nodes: number): number => (isLong(nodes) ? 3 : 5);

/** Whether a graph has so many nodes that its communities depend little on the seed. */
export const isLong = (nodes: number): boolean => nodes > nodesOfRuns;

/**
 * Finds communities by the Leiden algorithm (Traag, Waltman and van Eck, 2019): moves nodes to the community they gain
 * most from, refines each community into well-connected parts, merges the parts into nodes, and begins again until nothing
 * moves. Every community is connected. Equal graphs and options give equal results.
 *
 * @returns the community of each node: numbers from 0, in the order of their first nodes
 */
export function leiden(
  graph: Graph,
  { objective, resolution, seed, isPartOfLong = false }: CommunityOptions,
): Int32Array {
  const level = firstLevel(graph, objective, resolution);
  return isPartOfLong ? communitiesOfRun(level, randomNumbers(seed)) : communitiesOf(level, seed);
}

/**
 * Finds communities of groups of nodes by modularity: the nodes of a group stay together.
 *
 * @param groups every node is in one
 * @returns finds the community of each group
 */
export function groupCommunities(graph: Graph, groups: Numbered): (resolution: number, seed: number) => Int32Array {
  const level = merged(firstLevel(graph, 'modularity', 1), groups);
  // A single run: there are few groups, and what several runs agreed on was no better.
  return (resolution, seed) => communitiesOfRun({ ...level, penalty: resolution * level.penalty }, randomNumbers(seed));
}

/**
 * Finds communities in several runs, because a single result depends on the order in which nodes happen to be looked at, most of all in a small
 * graph. Nodes that all runs put together are merged into one, the merged graph is divided as often, and the best of these divisions is used (core
 * groups; Ovelgönne and Geyer-Schulz, 2013).
 */
function communitiesOf(first: Level, seed: number): Int32Array {
  const random = randomNumbers(seed);
  const runs = Math.min(maxRuns, Math.floor(nodesOfRuns / first.mass.length));
  if (runs < minRuns) return communitiesOfRun(first, random);
  const again = (level: Level) => Array.from({ length: runs }, () => communitiesOfRun(level, random));
  const cores = connectedParts(first, consensusOf(again(first)));
  const level = merged(first, cores);
  const divisions = again(level);
  const qualities = divisions.map((division) => qualityOf(level, division));
  const best = divisions[qualities.indexOf(Math.max(...qualities))]!;
  return renumbered(cores.of.map((core) => best[core]!)).of;
}

/** The partition in which two nodes are together if they are together in all partitions. */
function consensusOf(partitions: readonly Partition[]): Partition {
  return partitions.reduce((parts, partition) => {
    const numbers = new Map<number, number>();
    return parts.map((part, node) => {
      const key = part * partition.length + partition[node]!;
      if (!numbers.has(key)) numbers.set(key, numbers.size);
      return numbers.get(key)!;
    });
  });
}

/** The quality that moves and merges improve, up to a constant: the weight inside communities, minus the penalty of their masses. */
function qualityOf({ offset, to, weight, mass, penalty }: Level, communities: Partition): number {
  const masses = new Float64Array(mass.length);
  let quality = 0;
  for (let node = 0; node < mass.length; node++) {
    masses[communities[node]!]! += mass[node]!;
    for (let at = offset[node]!; at < offset[node + 1]!; at++)
      if (communities[to[at]!] === communities[node]) quality += weight[at]!;
  }
  // Both sums count each pair twice. The penalty also counts each node with itself, which is the same for all partitions.
  return masses.reduce((rest, sum) => rest - penalty * sum * sum, quality);
}

function communitiesOfRun(first: Level, random: () => number): Int32Array {
  let communities: Partition = Int32Array.from({ length: first.mass.length }, (_, node) => node);
  for (let pass = 0; pass < maxPasses(first.mass.length); pass++) {
    const next = renumbered(improve(first, communities, random)).of;
    if (pass > 0 && next.every((community, node) => community === communities[node])) break;
    communities = next;
  }
  return connectedParts(first, communities).of;
}

/** One pass over all levels, which never makes a partition worse. */
function improve(first: Level, start: Partition, random: () => number): Partition {
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

/** Gains below this are rounding errors; acting on them could go on forever. */
const minGain = 1e-12;

/**
 * Moves each node to the neighbouring community it gains most from, or to one of its own, until no node would gain by moving.
 * A node that has settled is looked at again only when one of its neighbours moves elsewhere.
 *
 * @param communities changed in place; a number is smaller than the number of nodes
 * @returns whether any node moved, and the order in which nodes were first looked at
 */
function moveNodes(
  level: Level,
  communities: Partition,
  random: () => number,
): { readonly moved: boolean; readonly order: Uint32Array } {
  const { offset, to, mass, penalty } = level;
  const nodes = mass.length;
  const sizes = new Sizes(communities, mass);
  const beside = new NeighbourWeights(nodes);
  const order = shuffled(nodes, random);
  const queue = new NodeQueue(order);
  let moved = false;
  for (let node = queue.take(); node >= 0; node = queue.take()) {
    const own = communities[node]!;
    beside.collect(level, node, communities);
    sizes.leave(own, mass[node]!);
    const cost = penalty * mass[node]!;
    let best = own;
    let bestGain = beside.weight[own]! - cost * sizes.mass[own]!;
    for (let index = 0; index < beside.count; index++) {
      const other = beside.beside[index]!;
      const gain = beside.weight[other]! - cost * sizes.mass[other]!;
      if (gain <= bestGain + minGain) continue;
      best = other;
      bestGain = gain;
    }
    if (bestGain < -minGain) best = sizes.takeEmpty();
    sizes.join(best, mass[node]!);
    if (best === own) continue;
    communities[node] = best;
    sizes.noteIfEmpty(own);
    moved = true;
    for (let at = offset[node]!; at < offset[node + 1]!; at++) {
      if (communities[to[at]!] !== best) queue.add(to[at]!);
    }
  }
  return { moved, order };
}

/** How many nodes each community has, and their mass. */
class Sizes {
  readonly mass: Float64Array;
  private readonly nodes: Uint32Array;
  /** Communities that were empty when they were put here; they may have been joined since. */
  private readonly empty: number[] = [];

  constructor(communities: Partition, mass: Float64Array) {
    this.mass = new Float64Array(communities.length);
    this.nodes = new Uint32Array(communities.length);
    for (let node = 0; node < communities.length; node++) this.join(communities[node]!, mass[node]!);
    for (let community = communities.length - 1; community >= 0; community--) this.noteIfEmpty(community);
  }

  leave(community: number, mass: number): void {
    this.nodes[community]!--;
    // An empty community has no mass, whatever rounding would leave of it.
    this.mass[community] = this.nodes[community] === 0 ? 0 : this.mass[community]! - mass;
  }

  noteIfEmpty(community: number): void {
    if (this.nodes[community] === 0) this.empty.push(community);
  }

  join(community: number, mass: number): void {
    this.mass[community]! += mass;
    this.nodes[community]!++;
  }

  /** There always is one when a node has left a community that others are still in: there are as many communities as nodes. */
  takeEmpty(): number {
    for (;;) {
      const community = this.empty.pop()!;
      if (this.nodes[community] === 0) return community;
    }
  }
}

/** A first-in-first-out queue that holds each node at most once. */
class NodeQueue {
  private readonly ring: Uint32Array;
  private readonly isQueued: Uint8Array;
  private first = 0;
  private length: number;

  constructor(order: Uint32Array) {
    this.ring = order.slice();
    this.isQueued = new Uint8Array(order.length).fill(1);
    this.length = order.length;
  }

  /** @returns -1 when there is none left */
  take(): number {
    if (this.length === 0) return -1;
    const node = this.ring[this.first]!;
    this.first = this.first + 1 === this.ring.length ? 0 : this.first + 1;
    this.length--;
    this.isQueued[node] = 0;
    return node;
  }

  add(node: number): void {
    if (this.isQueued[node] === 1) return;
    this.isQueued[node] = 1;
    this.ring[(this.first + this.length) % this.ring.length] = node;
    this.length++;
  }
}

/**
 * Divides each community into well-connected parts. Every node begins as a part of its own, and one that is still alone joins the part of its
 * community that it gains most from. Both must be well connected: their weight to the rest of the community must be at least the penalty of being in
 * one community with it. So a badly connected community is divided.
 *
 * @param order in which nodes are looked at
 * @returns the part of each node, numbered by one of its nodes
 */
function refine(level: Level, communities: Partition, order: Uint32Array): Partition {
  const { mass, penalty } = level;
  const nodes = mass.length;
  const parts: Partition = Int32Array.from({ length: nodes }, (_, node) => node);
  const partMass = mass.slice();
  const isAlone = new Uint8Array(nodes).fill(1);
  const communityMass = new Float64Array(nodes);
  for (let node = 0; node < nodes; node++) communityMass[communities[node]!]! += mass[node]!;
  /** Weight between a part and the rest of its community. */
  const tie = tiesWithin(level, communities);
  const isWellTied = (part: number): boolean => {
    const rest = communityMass[communities[part]!]! - partMass[part]!;
    return tie[part]! >= penalty * partMass[part]! * rest - minGain;
  };
  const beside = new NeighbourWeights(nodes);
  for (const node of order) {
    if (isAlone[node] === 0 || !isWellTied(node)) continue;
    beside.collect(level, node, parts, communities, communities[node]);
    let best = -1;
    let bestGain = minGain;
    for (let index = 0; index < beside.count; index++) {
      const part = beside.beside[index]!;
      const gain = beside.weight[part]! - penalty * mass[node]! * partMass[part]!;
      if (gain <= bestGain || !isWellTied(part)) continue;
      best = part;
      bestGain = gain;
    }
    if (best < 0) continue;
    parts[node] = best;
    partMass[best]! += mass[node]!;
    tie[best]! += tie[node]! - 2 * beside.weight[best]!;
    isAlone[best] = 0;
    isAlone[node] = 0;
  }
  return parts;
}

function tiesWithin({ offset, to, weight, mass }: Level, communities: Partition): Float64Array {
  return mass.map((_, node) => {
    let sum = 0;
    for (let at = offset[node]!; at < offset[node + 1]!; at++)
      if (communities[to[at]!] === communities[node]) sum += weight[at]!;
    return sum;
  });
}

/**
 * The weight between one node and each neighbouring community. It is filled and cleared for each node, so that a pass over all nodes allocates
 * nothing.
 */
class NeighbourWeights {
  /** By community; 0 for those without a neighbour of the node. */
  readonly weight: Float64Array;
  /** The neighbouring communities: the first `count` values. */
  readonly beside: Uint32Array;
  count = 0;

  constructor(communities: number) {
    this.weight = new Float64Array(communities);
    this.beside = new Uint32Array(communities);
  }

  /** @param within if given, only neighbours that `outer` has in this community count */
  collect(level: Level, node: number, of: Partition, outer?: Partition, within?: number): void {
    this.clear();
    const { offset, to, weight } = level;
    for (let at = offset[node]!; at < offset[node + 1]!; at++) {
      const other = to[at]!;
      if (outer && outer[other] !== within) continue;
      const community = of[other]!;
      if (this.weight[community] === 0) this.beside[this.count++] = community;
      this.weight[community]! += weight[at]!;
    }
  }

  private clear(): void {
    for (let index = 0; index < this.count; index++) this.weight[this.beside[index]!] = 0;
    this.count = 0;
  }
}
