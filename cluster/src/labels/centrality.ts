import { rowCount, type Vectors } from '../features/vectors.ts';
import { centresOf } from '../hierarchy/linkage.ts';

/**
 * How close each row is to the centre of its group.
 *
 * @param of the group of each row; negative for none
 * @returns cosines; NaN for rows without a group
 */
export function centralityOf(vectors: Vectors, of: Int32Array, groups: number): Float32Array {
  return similarityTo(centresOf(vectors, of, groups), vectors, of);
}

/** The cosine of each row and the centre with its number; NaN for rows without one. */
export function similarityTo(centres: Vectors, { values, dimensions }: Vectors, of: Int32Array): Float32Array {
  const found = new Float32Array(rowCount({ values, dimensions }));
  for (let row = 0; row < found.length; row++) {
    const first = of[row]! * dimensions;
    let sum = of[row]! < 0 ? Number.NaN : 0;
    for (let at = 0; at < dimensions && first >= 0; at++)
      sum += centres.values[first + at]! * values[row * dimensions + at]!;
    found[row] = sum;
  }
  return found;
}
