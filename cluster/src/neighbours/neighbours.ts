import { type Graph, graphOf } from '../communities/graph.ts';
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
  among(count: number): Neighbours;
  /** The nearest rows of other vectors. */
  of(asked: Vectors, count: number): Neighbours;
};

/** Two rows chosen at random are often this similar, so it says nothing about them. */
const ordinarySimilarity = 0.2;

/**
 * The graph of rows that are among each other's nearest, in at least one direction. An edge weighs how much more similar
 * its ends are than any two rows.
 *
 * @param least similarity of an edge
 */
export function similarityGraph({ count, to, similarity }: Neighbours, least = ordinarySimilarity): Graph {
  const rows = to.length / count;
  const isKept = (at: number) => to[at]! >= 0 && similarity[at]! >= least;
  return graphOf(rows, {
    from: Uint32Array.from(to, (_, at) => Math.floor(at / count)),
    to: Uint32Array.from(to, (row) => Math.max(row, 0)),
    weight: similarity.map((value, at) => (isKept(at) ? value - ordinarySimilarity : 0)),
  });
}
