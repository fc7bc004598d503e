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
  among(count: number): Promise<Neighbours>;
  /** The nearest rows of other vectors. */
  of(asked: Vectors, count: number): Promise<Neighbours>;
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
  const from = new Uint32Array(to.length);
  const other = new Uint32Array(to.length);
  const weight = new Float32Array(to.length);
  let edges = 0;
  // Plain loops: a list is divided again while a person moves a slider.
  for (let row = 0; row * count < to.length; row++) {
    for (let at = row * count; at < (row + 1) * count; at++) {
      if (to[at]! < 0 || !(similarity[at]! >= least)) continue;
      from[edges] = row;
      other[edges] = to[at]!;
      weight[edges++] = similarity[at]! - ordinarySimilarity;
    }
  }
  return graphOf(to.length / count, {
    from: from.subarray(0, edges),
    to: other.subarray(0, edges),
    weight: weight.subarray(0, edges),
  });
}
