import { leastGain } from './move-nodes.ts';
import { NeighbourWeights } from './neighbour-weights.ts';
import type { Level, Partition } from './partition.ts';

/**
 * Divides each community into well-connected parts. Every node begins as a part of its own, and one that is still alone
 * joins the part of its community that it gains most from. Node and part must each be tied to the rest of the community by
 * at least what the penalty of that rest amounts to; so a community that hangs together badly comes apart.
 *
 * @param order in which nodes are looked at
 * @returns the part of each node, named by one of its nodes
 */
export function refine(level: Level, communities: Partition, order: Uint32Array): Partition {
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
    return tie[part]! >= penalty * partMass[part]! * rest - leastGain;
  };
  const beside = new NeighbourWeights(nodes);
  for (const node of order) {
    if (isAlone[node] === 0 || !isWellTied(node)) continue;
    beside.collect(level, node, parts, communities, communities[node]);
    let best = -1;
    let bestGain = leastGain;
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
