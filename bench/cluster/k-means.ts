import { randomNumbers } from '../../cluster/src/communities/random.ts';
import { normalised, rowCount, type Vectors } from '../../cluster/src/features/vectors.ts';

const maxRounds = 25;
/** It ends when fewer rows than this share change their group. */
const minChange = 0.001;

/**
 * Spherical k-means from k-means++ seeds (Arthur and Vassilvitskii, 2007): what most scripts for keyword clustering use.
 *
 * @returns the group of each row
 */
export function kMeans(vectors: Vectors, groups: number, seed = 1): Int32Array {
  const { values, dimensions } = vectors;
  const rows = rowCount(vectors);
  let centres = seedsOf(vectors, groups, randomNumbers(seed));
  const of = new Int32Array(rows).fill(-1);
  for (let round = 0; round < maxRounds; round++) {
    let changed = 0;
    for (let row = 0; row < rows; row++) {
      let best = 0;
      let most = Number.NEGATIVE_INFINITY;
      for (let group = 0; group < groups; group++) {
        const similarity = product(values, row * dimensions, centres, group * dimensions, dimensions);
        if (similarity <= most) continue;
        most = similarity;
        best = group;
      }
      if (of[row] !== best) changed++;
      of[row] = best;
    }
    if (changed < minChange * rows) break;
    centres = new Float32Array(groups * dimensions);
    for (let row = 0; row < rows; row++)
      for (let at = 0; at < dimensions; at++) centres[of[row]! * dimensions + at]! += values[row * dimensions + at]!;
    normalised({ values: centres, dimensions });
  }
  return of;
}

/** Rows as far from each other as chance has it. */
function seedsOf(vectors: Vectors, groups: number, random: () => number): Float32Array {
  const { values, dimensions } = vectors;
  const rows = rowCount(vectors);
  const centres = new Float32Array(groups * dimensions);
  const distance = new Float64Array(rows).fill(2);
  let next = Math.floor(random() * rows);
  for (let group = 0; group < groups; group++) {
    centres.set(values.subarray(next * dimensions, (next + 1) * dimensions), group * dimensions);
    let sum = 0;
    for (let row = 0; row < rows; row++) {
      const away = 2 - 2 * product(values, row * dimensions, centres, group * dimensions, dimensions);
      distance[row] = Math.min(distance[row]!, Math.max(0, away));
      sum += distance[row]!;
    }
    let rest = random() * sum;
    for (next = 0; next < rows - 1; next++) {
      rest -= distance[next]!;
      if (rest <= 0) break;
    }
  }
  return centres;
}

function product(a: Float32Array, aStart: number, b: Float32Array, bStart: number, length: number): number {
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    even += a[aStart + at]! * b[bStart + at]!;
    odd += a[aStart + at + 1]! * b[bStart + at + 1]!;
  }
  return even + odd;
}
