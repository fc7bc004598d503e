import { rowCount } from '../features/vectors.ts';
import type { NeighbourSearch } from './neighbours.ts';

/** Rows that are compared at a time, so that their vectors stay in the processor's cache. */
const block = 64;

/** Compares every row with every other: quadratic, for small lists and as the reference for faster searches. */
export const exactNeighbours: NeighbourSearch = (vectors, count) => {
  const { values, dimensions } = vectors;
  const rows = rowCount(vectors);
  const to = new Int32Array(rows * count).fill(-1);
  const similarity = new Float32Array(rows * count).fill(Number.NEGATIVE_INFINITY);
  const offer = (row: number, other: number, value: number): void => {
    const first = row * count;
    let at = first + count - 1;
    if (value <= similarity[at]!) return;
    for (; at > first && similarity[at - 1]! < value; at--) {
      similarity[at] = similarity[at - 1]!;
      to[at] = to[at - 1]!;
    }
    similarity[at] = value;
    to[at] = other;
  };
  for (let top = 0; top < rows; top += block) {
    for (let left = top; left < rows; left += block) {
      for (let row = top; row < Math.min(top + block, rows); row++) {
        for (let other = Math.max(left, row + 1); other < Math.min(left + block, rows); other++) {
          const value = product(values, row * dimensions, other * dimensions, dimensions);
          offer(row, other, value);
          offer(other, row, value);
        }
      }
    }
  }
  return { count, to, similarity: similarity.map((value) => (value === Number.NEGATIVE_INFINITY ? 0 : value)) };
};

/** Four sums at a time: a single one would wait for itself. */
function product(values: Float32Array, a: number, b: number, length: number): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let at = 0; at < length; at += 4) {
    first += values[a + at]! * values[b + at]!;
    second += values[a + at + 1]! * values[b + at + 1]!;
    third += values[a + at + 2]! * values[b + at + 2]!;
    fourth += values[a + at + 3]! * values[b + at + 3]!;
  }
  return first + second + (third + fourth);
}
