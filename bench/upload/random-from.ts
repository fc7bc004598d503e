/** Numbers from 0 (inclusive) to 1 (exclusive). Source: Mulberry32 by Tommy Ettinger, public domain. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The numbers below `count` in random order; the same order for the same count and seed. */
export function shuffled(count: number, seed: number): Uint32Array {
  const random = randomFrom(seed);
  const numbers = Uint32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor((last + 1) * random());
    const number = numbers[last]!;
    numbers[last] = numbers[other]!;
    numbers[other] = number;
  }
  return numbers;
}
