/**
 * Marsaglia's xorshift32: the same numbers for the same seed on every machine.
 *
 * @returns numbers in [0, 1)
 */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The numbers from 0 to `count - 1` in a random order (Fisher–Yates). */
export function shuffled(count: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const item = order[last]!;
    order[last] = order[other]!;
    order[other] = item;
  }
  return order;
}
