import { lengthOf, type Vectors } from '../features/vectors.ts';
import { centresOf } from '../hierarchy/linkage.ts';

/**
 * How close each row is to the centre of its group.
 *
 * @param vectors of any lengths
 * @param of the group of each row; negative for none
 * @returns cosines; NaN for rows without a group
 */
export function centralityOf(vectors: Vectors<Int8Array | Float32Array>, of: Int32Array, groups: number): Float32Array {
  const { values, dimensions } = vectors;
  const centres = centresOf(vectors, of, groups);
  return Float32Array.from(of, (group, row) => {
    if (group < 0) return Number.NaN;
    let sum = 0;
    for (let at = 0; at < dimensions; at++)
      sum += centres.values[group * dimensions + at]! * values[row * dimensions + at]!;
    return sum / (lengthOf(vectors, row) || 1);
  });
}
