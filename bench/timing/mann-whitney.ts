/**
 * The probability that two samples differ at least this much if both come from the same distribution: the two-sided p
 * of the Mann-Whitney U test, by its normal approximation with the correction for ties. For samples of at least twenty.
 *
 * Source: Mann and Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than the Other",
 * The Annals of Mathematical Statistics 18(1), 1947.
 */
export function mannWhitneyP(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, fromA: true })), ...b.map((value) => ({ value, fromA: false }))];
  all.sort((one, other) => one.value - other.value);
  let rankSum = 0;
  let ties = 0;
  for (let start = 0, end = 0; start < all.length; start = end) {
    while (end < all.length && all[end]!.value === all[start]!.value) end++;
    const equal = end - start;
    const rank = (start + 1 + end) / 2;
    rankSum += rank * all.slice(start, end).filter(({ fromA }) => fromA).length;
    ties += equal ** 3 - equal;
  }
  const [n, m] = [a.length, b.length];
  const u = rankSum - (n * (n + 1)) / 2;
  const total = n + m;
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  return 2 * upperTail(Math.abs(u - (n * m) / 2) / Math.sqrt(variance));
}

/** The area of the standard normal distribution above z ≥ 0, to about 1e-7. Source: Abramowitz and Stegun 26.2.17. */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const series = factors.reduceRight((sum, factor) => (sum + factor) * t, 0);
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
