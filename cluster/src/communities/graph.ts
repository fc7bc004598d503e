/**
 * An undirected weighted graph in compressed sparse rows. The neighbours of node `i` are `to[offset[i]] … to[offset[i + 1] - 1]`. Every edge is
 * stored at both of its ends, there are no loops, and no pair has two edges.
 */
export type Graph = {
  /** One more than there are nodes. */
  readonly offset: Uint32Array;
  readonly to: Uint32Array;
  /** Positive, parallel to `to`. */
  readonly weight: Float32Array;
};

/** Edges in any order and direction, as parallel columns. */
export type Edges = { readonly from: Uint32Array; readonly to: Uint32Array; readonly weight: Float32Array };

/** Calls a function with the ends and the weight of each edge of a graph, in one direction only. */
export type EachEdge = (visit: (one: number, other: number, weight: number) => void) => void;

export const edgesIn =
  ({ offset, to, weight }: Graph): EachEdge =>
  (visit) => {
    for (let node = 0; node + 1 < offset.length; node++)
      for (let at = offset[node]!; at < offset[node + 1]!; at++) if (to[at]! > node) visit(node, to[at]!, weight[at]!);
  };

export const nodeCount = (graph: Graph): number => graph.offset.length - 1;

/**
 * Builds a graph in time linear in the number of edges. Drops loops and weights that are not positive. A pair that is
 * listed twice, in whatever direction, gets its larger weight.
 *
 * @param nodes number of nodes; every end of an edge is smaller
 */
export function graphOf(nodes: number, edges: Edges): Graph {
  const rows = inBothDirections(nodes, edges);
  const offset = new Uint32Array(nodes + 1);
  /** Where each node stands in the row that is being built. A place before that row's start is left over from an earlier row. */
  const place = new Int32Array(nodes).fill(-1);
  let end = 0;
  for (let node = 0; node < nodes; node++) {
    const first = end;
    for (let at = rows.offset[node]!; at < rows.offset[node + 1]!; at++) {
      const other = rows.to[at]!;
      const weight = rows.weight[at]!;
      const known = place[other]!;
      if (known >= first) {
        if (weight > rows.weight[known]!) rows.weight[known] = weight;
        continue;
      }
      // In place: `end` never overtakes `at`.
      place[other] = end;
      rows.to[end] = other;
      rows.weight[end++] = weight;
    }
    offset[node + 1] = end;
  }
  return { offset, to: rows.to.slice(0, end), weight: rows.weight.slice(0, end) };
}

/** The rows of a graph, in which a pair may still have several edges. */
function inBothDirections(nodes: number, { from, to, weight }: Edges): Graph {
  const isKept = (edge: number): boolean => from[edge] !== to[edge] && weight[edge]! > 0;
  const offset = new Uint32Array(nodes + 1);
  for (let edge = 0; edge < from.length; edge++) {
    if (!isKept(edge)) continue;
    offset[from[edge]! + 1]!++;
    offset[to[edge]! + 1]!++;
  }
  for (let node = 0; node < nodes; node++) offset[node + 1]! += offset[node]!;
  const next = offset.slice(0, nodes);
  const others = new Uint32Array(offset[nodes]!);
  const weights = new Float32Array(offset[nodes]!);
  const put = (node: number, other: number, value: number): void => {
    const at = next[node]!++;
    others[at] = other;
    weights[at] = value;
  };
  for (let edge = 0; edge < from.length; edge++) {
    if (!isKept(edge)) continue;
    put(from[edge]!, to[edge]!, weight[edge]!);
    put(to[edge]!, from[edge]!, weight[edge]!);
  }
  return { offset, to: others, weight: weights };
}
