import { lengthOf, normalised, rowCount, type Vectors } from '../features/vectors.ts';

/**
 * Joins the two most similar groups again and again until few enough are left. The similarity of groups is the mean over
 * pairs of their members (average linkage). Ties go to the group that comes first.
 *
 * @param centres of the groups
 * @param size of each group, the weight of its members in the mean
 * @returns the joined group of each, numbered in the order of first groups
 */
export function averageLinkage(centres: Vectors, size: Float64Array, most: number): Int32Array {
  const count = rowCount(centres);
  const similarity = allSimilarities(centres);
  const weight = size.slice();
  const parent = Int32Array.from({ length: count }, (_, group) => group);
  const alive = new Set(parent);
  const nearest = new Int32Array(count).fill(-1);
  const look = (group: number): void => {
    let best = -1;
    for (const other of alive)
      if (other !== group && (best < 0 || similarity[group * count + other]! > similarity[group * count + best]!))
        best = other;
    nearest[group] = best;
  };
  for (const group of alive) look(group);
  while (alive.size > Math.max(1, most)) {
    let keep = -1;
    for (const group of alive)
      if (keep < 0 || similarity[group * count + nearest[group]!]! > similarity[keep * count + nearest[keep]!]!)
        keep = group;
    const gone = nearest[keep]!;
    alive.delete(gone);
    parent[gone] = keep;
    for (const other of alive) {
      if (other === keep) continue;
      const joined =
        (similarity[keep * count + other]! * weight[keep]! + similarity[gone * count + other]! * weight[gone]!) /
        (weight[keep]! + weight[gone]!);
      similarity[keep * count + other] = joined;
      similarity[other * count + keep] = joined;
    }
    weight[keep]! += weight[gone]!;
    for (const other of alive) if (other === keep || nearest[other] === gone || nearest[other] === keep) look(other);
  }
  const root = (group: number): number => (parent[group] === group ? group : root(parent[group]!));
  const numbers = new Map<number, number>();
  return parent.map((_, group) => {
    const top = root(group);
    if (!numbers.has(top)) numbers.set(top, numbers.size);
    return numbers.get(top)!;
  });
}

function allSimilarities({ values, dimensions }: Vectors): Float64Array {
  const count = values.length / dimensions;
  const found = new Float64Array(count * count);
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      let sum = 0;
      for (let at = 0; at < dimensions; at++) sum += values[a * dimensions + at]! * values[b * dimensions + at]!;
      found[a * count + b] = sum;
      found[b * count + a] = sum;
    }
  }
  return found;
}

/** The mean direction of each group's rows, whatever their lengths. Rows of group −1 have none. */
export function centresOf(vectors: Vectors<Int8Array | Float32Array>, of: Int32Array, count: number): Vectors {
  const { values, dimensions } = vectors;
  const sums = new Float32Array(count * dimensions);
  of.forEach((group, row) => {
    if (group < 0) return;
    const scale = 1 / (lengthOf(vectors, row) || 1);
    for (let at = 0; at < dimensions; at++) sums[group * dimensions + at]! += scale * values[row * dimensions + at]!;
  });
  return normalised({ values: sums, dimensions });
}
