import { lengthOf, normalised, rowCount, type Vectors } from '../features/vectors.ts';

/**
 * Joins groups two at a time until at most `maxGroups` are left (Ward's method; Ward, 1963): always the two whose joining adds least to the squared
 * distances of centres from the mean of their group. Every centre counts alike, whatever the size of its group: with average linkage, a large group
 * would attract all others. Ties go to the group that comes first.
 *
 * @param centres of the groups, of length 1
 * @returns for each group the number of the one that it is part of; numbers are in the order of first groups
 */
export function wardLinkage(centres: Vectors, maxGroups: number): Int32Array {
  const count = rowCount(centres);
  /** Groups × groups: twice what joining two of them would add to the squared distances. */
  const cost = squaredDistances(centres);
  const size = new Float64Array(count).fill(1);
  const parent = Int32Array.from({ length: count }, (_, group) => group);
  const alive = new Set(parent);
  const nearest = new Int32Array(count).fill(-1);
  const costOf = (one: number, other: number): number => cost[one * count + other]!;
  const findNearest = (group: number): void => {
    let best = -1;
    for (const other of alive)
      if (other !== group && (best < 0 || costOf(group, other) < costOf(group, best))) best = other;
    nearest[group] = best;
  };
  for (const group of alive) findNearest(group);
  while (alive.size > Math.max(1, maxGroups)) {
    let keep = -1;
    for (const group of alive)
      if (keep < 0 || costOf(group, nearest[group]!) < costOf(keep, nearest[keep]!)) keep = group;
    const absorbed = nearest[keep]!;
    alive.delete(absorbed);
    parent[absorbed] = keep;
    for (const other of alive) {
      if (other === keep) continue;
      const [a, b, c] = [size[keep]!, size[absorbed]!, size[other]!];
      // Lance and Williams (1967): the new cost follows from the three old ones.
      const joined =
        ((a + c) * costOf(keep, other) + (b + c) * costOf(absorbed, other) - c * costOf(keep, absorbed)) / (a + b + c);
      cost[keep * count + other] = joined;
      cost[other * count + keep] = joined;
    }
    size[keep]! += size[absorbed]!;
    for (const other of alive)
      if (other === keep || nearest[other] === absorbed || nearest[other] === keep) findNearest(other);
  }
  const root = (group: number): number => (parent[group] === group ? group : root(parent[group]!));
  const numbers = new Map<number, number>();
  return parent.map((_, group) => {
    const top = root(group);
    if (!numbers.has(top)) numbers.set(top, numbers.size);
    return numbers.get(top)!;
  });
}

/** @returns rows × rows */
function squaredDistances({ values, dimensions }: Vectors): Float64Array {
  const count = values.length / dimensions;
  const found = new Float64Array(count * count);
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      let sum = 0;
      for (let at = 0; at < dimensions; at++) sum += (values[a * dimensions + at]! - values[b * dimensions + at]!) ** 2;
      found[a * count + b] = sum;
      found[b * count + a] = sum;
    }
  }
  return found;
}

/** The mean direction of each group's rows, of length 1: longer rows do not count more. Rows of group −1 count for none. */
export function centresOf(vectors: Vectors<Int8Array | Float32Array>, of: Int32Array, count: number): Vectors {
  const sums = new CentreSums(vectors.dimensions, count);
  sums.add(vectors, of);
  return sums.centres();
}

/** Computes the centres of groups whose vectors arrive in blocks. */
export class CentreSums {
  private readonly dimensions: number;
  private readonly sums: Float32Array;

  constructor(dimensions: number, groups: number) {
    this.dimensions = dimensions;
    this.sums = new Float32Array(groups * dimensions);
  }

  /** @param of the group of each row; −1 for none */
  add(vectors: Vectors<Int8Array | Float32Array>, of: Int32Array): void {
    const { sums, dimensions } = this;
    const { values } = vectors;
    of.forEach((group, row) => {
      if (group < 0) return;
      const scale = 1 / (lengthOf(vectors, row) || 1);
      for (let at = 0; at < dimensions; at++) sums[group * dimensions + at]! += scale * values[row * dimensions + at]!;
    });
  }

  /** The centres of the first groups, by default of all. They overwrite the sums, so nothing can be added afterwards. */
  centres(groups = this.sums.length / this.dimensions): Vectors {
    const { sums, dimensions } = this;
    return normalised({ values: sums.subarray(0, groups * dimensions), dimensions });
  }
}

/**
 * Computes how close each row is to the centre of its group.
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
