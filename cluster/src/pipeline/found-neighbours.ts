import type { Vectors } from '../features/vectors.ts';
import type { Neighbours } from '../neighbours/neighbours.ts';

/** Neighbours among pages and among topics, and the vectors they were found by. */
export type ListNeighbours = {
  readonly page: Neighbours;
  readonly topic: Neighbours;
  readonly pageVectors: Vectors<Int8Array>;
  readonly topicVectors: Vectors<Int8Array>;
};
