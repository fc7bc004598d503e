import { rowCount, type Vectors } from '../../src/features/vectors.ts';
import { Nearest, product } from '../../src/neighbours/nearest.ts';
import type { NeighbourSearch, Neighbours } from '../../src/neighbours/neighbours.ts';

/** Rows that are compared at a time, so that their vectors stay in the processor's cache. */
const block = 64;

/** Compares every row with every other: quadratic, for small lists and as the reference for faster searches. */
export const exactNeighbours: NeighbourSearch = (vectors) => ({
  among: async (count) => compareAll(vectors, count),
  of: async (asked, count) => compareWith(vectors, asked, count),
});

function compareAll({ values, dimensions }: Vectors, count: number): Neighbours {
  const rows = rowCount({ values, dimensions });
  const nearest = new Nearest(rows, count);
  for (let top = 0; top < rows; top += block) {
    for (let left = top; left < rows; left += block) {
      for (let row = top; row < Math.min(top + block, rows); row++) {
        for (let other = Math.max(left, row + 1); other < Math.min(left + block, rows); other++) {
          const value = product(values, row * dimensions, values, other * dimensions, dimensions);
          nearest.offer(row, other, value);
          nearest.offer(other, row, value);
        }
      }
    }
  }
  return nearest.found();
}

function compareWith({ values, dimensions }: Vectors, asked: Vectors, count: number): Neighbours {
  const nearest = new Nearest(rowCount(asked), count);
  for (let row = 0; row < rowCount(asked); row++)
    for (let other = 0; other < rowCount({ values, dimensions }); other++)
      nearest.offer(row, other, product(asked.values, row * dimensions, values, other * dimensions, dimensions));
  return nearest.found();
}
