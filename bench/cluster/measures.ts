/** How well a grouping agrees with another one; all are 1 for equal groupings, whatever the groups are called. */
export type Agreement = {
  /** V-measure: harmonic mean of homogeneity and completeness (Rosenberg and Hirschberg, 2007). */
  readonly v: number;
  /** Mutual information above chance, over the mean entropy (Vinh, Epps and Bailey, 2010). */
  readonly ami: number;
  /** Rand index above chance (Hubert and Arabie, 1985). */
  readonly ari: number;
};

/** @param found and gold: the group of each row, in the same order */
export function agreementOf(found: ArrayLike<number>, gold: ArrayLike<number>): Agreement {
  const rows = found.length;
  const { cells, sums: a } = counted(found, gold);
  const { sums: b } = counted(gold, found);
  let mutual = 0;
  let pairs = 0;
  for (const [first, row] of cells) {
    for (const [second, count] of row) {
      mutual += (count / rows) * Math.log((rows * count) / (a.get(first)! * b.get(second)!));
      pairs += pairsOf(count);
    }
  }
  const [sizesA, sizesB] = [[...a.values()], [...b.values()]];
  const meanEntropy = (entropyOf(sizesA, rows) + entropyOf(sizesB, rows)) / 2;
  const chance = expectedMutual(sizesA, sizesB, rows);
  const pairsA = sizesA.reduce((sum, size) => sum + pairsOf(size), 0);
  const pairsB = sizesB.reduce((sum, size) => sum + pairsOf(size), 0);
  const chancePairs = (pairsA * pairsB) / pairsOf(rows);
  return {
    v: meanEntropy === 0 ? 1 : mutual / meanEntropy,
    ami: meanEntropy === chance ? 1 : (mutual - chance) / (meanEntropy - chance),
    ari: (pairsA + pairsB) / 2 === chancePairs ? 1 : (pairs - chancePairs) / ((pairsA + pairsB) / 2 - chancePairs),
  };
}

/** How often each pair of groups meets, and the size of each group. */
function counted(one: ArrayLike<number>, other: ArrayLike<number>) {
  const cells = new Map<number, Map<number, number>>();
  const sums = new Map<number, number>();
  for (let row = 0; row < one.length; row++) {
    const counts = cells.get(one[row]!) ?? new Map<number, number>();
    cells.set(one[row]!, counts);
    counts.set(other[row]!, (counts.get(other[row]!) ?? 0) + 1);
    sums.set(one[row]!, (sums.get(one[row]!) ?? 0) + 1);
  }
  return { cells, sums };
}

const pairsOf = (size: number): number => (size * (size - 1)) / 2;

const entropyOf = (sizes: readonly number[], rows: number): number =>
  sizes.reduce((sum, size) => sum - (size / rows) * Math.log(size / rows), 0);

/** The mutual information to expect if rows were dealt out at random to groups of these sizes. */
function expectedMutual(sizesA: readonly number[], sizesB: readonly number[], rows: number): number {
  const log = new Float64Array(rows + 1);
  for (let value = 2; value <= rows; value++) log[value] = log[value - 1]! + Math.log(value);
  let sum = 0;
  for (const [a, timesA] of timesOf(sizesA)) {
    for (const [b, timesB] of timesOf(sizesB)) {
      const fixed = log[a]! + log[b]! + log[rows - a]! + log[rows - b]! - log[rows]!;
      for (let both = Math.max(1, a + b - rows); both <= Math.min(a, b); both++) {
        const chance = Math.exp(fixed - log[both]! - log[a - both]! - log[b - both]! - log[rows - a - b + both]!);
        sum += timesA * timesB * chance * (both / rows) * Math.log((rows * both) / (a * b));
      }
    }
  }
  return sum;
}

function timesOf(sizes: readonly number[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const size of sizes) times.set(size, (times.get(size) ?? 0) + 1);
  return times;
}
