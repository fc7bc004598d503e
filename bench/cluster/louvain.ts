import type { Graph } from '../../cluster/src/communities/graph.ts';
import { randomNumbers } from '../../cluster/src/communities/random.ts';
import { importPeer, installPeers } from '../peers/install-peers.ts';

/** What is used of `graphology` and of `graphology-communities-louvain`. */
type Graphology = {
  readonly UndirectedGraph: new () => {
    addNode(node: number): void;
    addEdge(from: number, to: number, attributes: { readonly weight: number }): void;
  };
};
type Louvain = (
  graph: InstanceType<Graphology['UndirectedGraph']>,
  options: { readonly resolution: number; readonly getEdgeWeight: 'weight'; readonly rng: () => number },
) => Readonly<Record<string, number>>;

/** Communities by the usual JavaScript package, on the same graph as ours. */
export async function louvain(graph: Graph, resolution: number): Promise<Int32Array> {
  installPeers();
  const peer = async <T>(name: string) => ((await importPeer(name)) as { readonly default: T }).default;
  const { UndirectedGraph } = await peer<Graphology>('graphology');
  const find = await peer<Louvain>('graphology-communities-louvain');
  const same = new UndirectedGraph();
  const nodes = graph.offset.length - 1;
  for (let node = 0; node < nodes; node++) same.addNode(node);
  for (let node = 0; node < nodes; node++) {
    for (let at = graph.offset[node]!; at < graph.offset[node + 1]!; at++)
      if (graph.to[at]! > node) same.addEdge(node, graph.to[at]!, { weight: graph.weight[at]! });
  }
  const found = find(same, { resolution, getEdgeWeight: 'weight', rng: randomNumbers(1) });
  return Int32Array.from({ length: nodes }, (_, node) => found[node]!);
}
