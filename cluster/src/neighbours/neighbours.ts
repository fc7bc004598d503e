import type { EachEdge, Graph } from '../communities/graph.ts';
import type { Vectors } from '../features/vectors.ts';

/** The nearest rows of each row, nearest first. */
export type Neighbours = {
  readonly count: number;
  /** Rows × count; −1 where there is none. */
  readonly to: Int32Array;
  /** Cosines, parallel to `to`. */
  readonly similarity: Float32Array;
};

/** Prepares rows to be found by their cosines. Equal vectors and counts give equal results. */
export type NeighbourSearch = (vectors: Vectors) => NeighbourIndex;

export type NeighbourIndex = {
  /** The nearest other rows of every row. */
  among(count: number): Promise<Neighbours>;
  /** The nearest rows of other vectors. */
  of(queries: Vectors, count: number): Promise<Neighbours>;
};

/** Scaling brings the mean similarity of a row to its nearest neighbours to about this value. */
const scaledMean = 0.5;
/** Two random rows are often this similar after scaling, so that only what is above it counts. */
const ordinarySimilarity = 0.2;
/** The smallest mean similarity that is scaled. A row below it resembles nothing, and must not be made to resemble its neighbours. */
const minMean = 0.2;
/** The mean is over the nearest `minNear` neighbours of a row, or over this share of the rows of a list, if that is more. */
const minNear = 3;
const nearShare = 1 / 8;

/** What a neighbour is in the graph: no edge, one in this direction only, or one in both, which is written the first time and not `again`. */
const edge = { none: 0, oneWay: 1, first: 2, again: 3 } as const;

/**
 * The graph in which two rows have an edge if at least one is among the nearest of the other. Its weight is their similarity above that of two random
 * rows; the larger one, if it differs by direction. Edges are written directly into the rows of the graph, because a list of edges would take more
 * memory than the graph.
 *
 * Similarities are scaled by what is usual around both ends (local scaling; Zelnik-Manor and Perona, 2004), because cosines of wording alone are half
 * as high as those of meaning. Otherwise lists in languages that no encoder knows would fall apart.
 *
 * @param neighbours no row has the same one twice
 */
export function similarityGraph(neighbours: Neighbours): Graph {
  const { count, to } = neighbours;
  const { similarityAt, isEdge, backFrom } = linksOf(neighbours);
  const nodes = to.length / count;
  const kind = new Uint8Array(to.length);
  const offset = new Uint32Array(nodes + 1);
  // Plain loops: a list is divided again while a person moves a slider.
  for (let row = 0; row < nodes; row++) {
    for (let at = row * count; at < (row + 1) * count; at++) {
      if (!isEdge(row, at)) continue;
      const other = to[at]!;
      if (backFrom(other, row) < 0) kind[at] = edge.oneWay;
      else kind[at] = row < other ? edge.first : edge.again;
      if (kind[at] === edge.again) continue;
      offset[row + 1]!++;
      offset[other + 1]!++;
    }
  }
  for (let row = 0; row < nodes; row++) offset[row + 1]! += offset[row]!;
  const next = offset.slice(0, nodes);
  const graph = { offset, to: new Uint32Array(offset[nodes]!), weight: new Float32Array(offset[nodes]!) };
  const put = (row: number, other: number, weight: number): void => {
    const place = next[row]!++;
    graph.to[place] = other;
    graph.weight[place] = weight;
  };
  for (let row = 0; row < nodes; row++) {
    for (let at = row * count; at < (row + 1) * count; at++) {
      if (kind[at] !== edge.oneWay && kind[at] !== edge.first) continue;
      const other = to[at]!;
      const back = kind[at] === edge.first ? similarityAt(other, backFrom(other, row)) : 0;
      const weight = Math.max(similarityAt(row, at), back) - ordinarySimilarity;
      put(row, other, weight);
      put(other, row, weight);
    }
  }
  return graph;
}

/** The edges of {@link similarityGraph} without building it, which takes much memory for a long list. @param neighbours as there */
export const similarEdges =
  (neighbours: Neighbours): EachEdge =>
  (visit) => {
    const { count, to } = neighbours;
    const { similarityAt, isEdge, backFrom } = linksOf(neighbours);
    for (let row = 0; row < to.length / count; row++) {
      for (let at = row * count; at < (row + 1) * count; at++) {
        if (!isEdge(row, at)) continue;
        const other = to[at]!;
        const back = backFrom(other, row);
        if (back >= 0 && other < row) continue;
        visit(
          row,
          other,
          Math.max(similarityAt(row, at), back < 0 ? 0 : similarityAt(other, back)) - ordinarySimilarity,
        );
      }
    }
  };

/** Tells which neighbours are edges, and their scaled similarities. */
function linksOf(neighbours: Neighbours) {
  const { count, to } = neighbours;
  const scale = scalesOf(neighbours);
  const similarityAt = (row: number, at: number): number =>
    Math.min(1, neighbours.similarity[at]! * scale[row]! * scale[to[at]!]!);
  const isEdge = (row: number, at: number): boolean =>
    to[at]! >= 0 && to[at] !== row && similarityAt(row, at) > ordinarySimilarity;
  /** The place of the row among the neighbours of another; −1 if that has no edge to it. */
  const backFrom = (other: number, row: number): number => {
    for (let at = other * count; at < (other + 1) * count; at++) if (to[at] === row) return isEdge(other, at) ? at : -1;
    return -1;
  };
  return { similarityAt, isEdge, backFrom };
}

/** A factor for each row: similarities are multiplied by those of both ends. In a short list, only the nearest few neighbours are averaged. */
function scalesOf({ count, to, similarity }: Neighbours): Float64Array {
  const rows = to.length / count;
  const near = Math.min(count, Math.max(minNear, Math.ceil(nearShare * rows)));
  return Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    let known = 0;
    for (let at = row * count; at < row * count + near; at++) {
      if (to[at]! < 0) continue;
      sum += Math.max(0, similarity[at]!);
      known++;
    }
    return Math.sqrt(scaledMean / Math.max(minMean, sum / Math.max(1, known)));
  });
}
