import { NeighbourWeights } from './neighbour-weights.ts';
import type { Level, Partition } from './partition.ts';
import { shuffled } from './random.ts';

/** Gains below this are rounding errors; acting on them could go on forever. */
export const leastGain = 1e-12;

/**
 * Moves each node to the neighbouring community it gains most from, or to one of its own, until no node wants to move.
 * A node that has settled is looked at again only when one of its neighbours moves elsewhere.
 *
 * @param communities changed in place; a number is smaller than the number of nodes
 * @returns whether any node moved, and the order in which nodes were first looked at
 */
export function moveNodes(
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
      if (gain <= bestGain + leastGain) continue;
      best = other;
      bestGain = gain;
    }
    if (bestGain < -leastGain) best = sizes.anEmptyOne();
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
  /** Communities that were empty when they were put here. */
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

  /** There is one whenever a node has left a community that is not empty: there are as many communities as nodes. */
  anEmptyOne(): number {
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
