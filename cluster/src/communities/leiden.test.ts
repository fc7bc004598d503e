import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Graph, graphOf, nodeCount } from './graph.ts';
import { type CommunityOptions, groupCommunities, leiden } from './leiden.ts';
import { connectedParts } from './partition.ts';
import { randomNumbers } from './random.ts';

type Edge = readonly [from: number, to: number, weight: number];
const graphFrom = (nodes: number, edges: readonly Edge[]): Graph =>
  graphOf(nodes, {
    from: Uint32Array.from(edges, ([from]) => from),
    to: Uint32Array.from(edges, ([, to]) => to),
    weight: Float32Array.from(edges, ([, , weight]) => weight),
  });

/** Rings of complete graphs: neighbouring cliques share one edge. */
function ringOfCliques(cliques: number, size: number): Graph {
  const edges: Edge[] = [];
  for (let clique = 0; clique < cliques; clique++) {
    const first = clique * size;
    for (let a = 0; a < size; a++) for (let b = a + 1; b < size; b++) edges.push([first + a, first + b, 1]);
    edges.push([first, (first + size) % (cliques * size), 1]);
  }
  return graphFrom(cliques * size, edges);
}

const randomGraph = fc.integer({ min: 2, max: 14 }).chain((nodes) =>
  fc
    .array(fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1), fc.integer({ min: 1, max: 16 })), { maxLength: 40 })
    .map((edges) =>
      graphFrom(
        nodes,
        edges.map(([from, to, weight]) => [from, to, weight / 16]),
      ),
    ),
);
const options: fc.Arbitrary<CommunityOptions> = fc.record({
  objective: fc.constantFrom('cpm' as const, 'modularity' as const),
  resolution: fc.constantFrom(0.01, 0.1, 0.3, 1, 2),
  seed: fc.integer({ min: 1, max: 1000 }),
  isPartOfLong: fc.boolean(),
});

/** What a partition is worth: the weight inside its communities minus the penalty for every pair. */
function worth(graph: Graph, communities: ArrayLike<number>, { objective, resolution }: CommunityOptions): number {
  const nodes = nodeCount(graph);
  const degree = new Float64Array(nodes);
  let inside = 0;
  for (let node = 0; node < nodes; node++) {
    for (let at = graph.offset[node]!; at < graph.offset[node + 1]!; at++) {
      degree[node]! += graph.weight[at]!;
      if (communities[graph.to[at]!] === communities[node]) inside += graph.weight[at]! / 2;
    }
  }
  const total = degree.reduce((sum, one) => sum + one, 0);
  const mass = objective === 'cpm' ? degree.fill(1) : degree;
  const penalty = objective === 'cpm' ? resolution : total > 0 ? resolution / total : 0;
  let pairs = 0;
  for (let a = 0; a < nodes; a++)
    for (let b = a + 1; b < nodes; b++) if (communities[a] === communities[b]) pairs += mass[a]! * mass[b]!;
  return inside - penalty * pairs;
}

describe('Leiden communities', () => {
  test('each clique of a ring is a community, under both objectives', () => {
    const graph = ringOfCliques(8, 6);
    const expected = Int32Array.from({ length: 48 }, (_, node) => Math.floor(node / 6));
    expect(leiden(graph, { objective: 'cpm', resolution: 0.5, seed: 1 })).toEqual(expected);
    expect(leiden(graph, { objective: 'modularity', resolution: 1, seed: 1 })).toEqual(expected);
  });

  test('so it is in a long list, and in a part of one', () => {
    const [long, part] = [ringOfCliques(4100, 6), ringOfCliques(40, 6)];
    const choice = { objective: 'cpm', resolution: 0.5, seed: 1 } as const;
    const expected = Int32Array.from({ length: 6 * 4100 }, (_, node) => Math.floor(node / 6));
    expect(leiden(long, choice)).toEqual(expected);
    expect(leiden(part, { ...choice, isPartOfLong: true })).toEqual(expected.subarray(0, 6 * 40));
  });

  test('a low resolution keeps a connected graph together, and a high one takes it apart', () => {
    const graph = ringOfCliques(4, 5);
    expect(new Set(leiden(graph, { objective: 'cpm', resolution: 0.001, seed: 1 })).size).toBe(1);
    expect(new Set(leiden(graph, { objective: 'cpm', resolution: 1.01, seed: 1 })).size).toBe(20);
  });

  test('nodes without edges stay alone', () => {
    expect(leiden(graphFrom(3, []), { objective: 'modularity', resolution: 1, seed: 1 })).toEqual(
      Int32Array.of(0, 1, 2),
    );
  });

  test('every community is connected', () => {
    fc.assert(
      fc.property(randomGraph, options, (graph, choice) => {
        const communities = leiden(graph, choice);
        expect(connectedParts(graph, communities).of).toEqual(communities);
      }),
    );
  });

  test('a result is worth at least as much as single nodes and as connected parts', () => {
    fc.assert(
      fc.property(randomGraph, options, (graph, choice) => {
        const found = worth(graph, leiden(graph, choice), choice);
        const alone = Int32Array.from({ length: nodeCount(graph) }, (_, node) => node);
        expect(found).toBeGreaterThanOrEqual(worth(graph, alone, choice) - 1e-6);
        if (choice.resolution <= 0.01)
          expect(found).toBeGreaterThanOrEqual(worth(graph, connectedParts(graph).of, choice) - 1e-6);
      }),
    );
  });

  test('equal input gives equal output, numbered by first node', () => {
    fc.assert(
      fc.property(randomGraph, options, (graph, choice) => {
        const communities = leiden(graph, choice);
        expect(leiden(graph, choice)).toEqual(communities);
        const firsts = [...new Set(communities)];
        expect(firsts).toEqual(firsts.map((_, index) => index));
      }),
    );
  });
});

test('seeds agree about a small graph with blurred communities', () => {
  const [nodes, groups] = [200, 10];
  const random = randomNumbers(3);
  const edges: Edge[] = [];
  for (let a = 0; a < nodes; a++)
    for (let b = a + 1; b < nodes; b++) if (random() < (a % groups === b % groups ? 0.3 : 0.05)) edges.push([a, b, 1]);
  const graph = graphFrom(nodes, edges);
  const [first, ...others] = [1, 2, 3, 4, 5].map((seed) =>
    leiden(graph, { objective: 'modularity', resolution: 1, seed }),
  );
  for (const other of others) {
    let [together, apart] = [0, 0];
    for (let a = 0; a < nodes; a++) {
      for (let b = a + 1; b < nodes; b++) {
        const [one, two] = [first![a] === first![b], other[a] === other[b]];
        if (one || two) together++;
        if (one !== two) apart++;
      }
    }
    // Single runs disagree about more than half of the pairs that any of them puts together.
    expect(apart / together).toBeLessThan(0.15);
  }
});

test('communities of groups keep each group together, and are those of their nodes where these agree', () => {
  const graph = ringOfCliques(12, 4);
  const groups = { of: Int32Array.from({ length: 48 }, (_, node) => Math.floor(node / 4)), count: 12 };
  const find = groupCommunities(graph, groups);
  const nodes = leiden(graph, { objective: 'modularity', resolution: 1, seed: 1 });
  const ofGroup = Int32Array.from({ length: 12 }, (_, group) => nodes[4 * group]!);
  expect([...find(1, 1)]).toEqual([...ofGroup]);
  expect(new Set(find(0, 1)).size).toBe(1);
  expect(new Set(find(100, 1)).size).toBe(12);
});
