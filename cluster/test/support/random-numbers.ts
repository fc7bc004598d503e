/** Numbers from 0 to below a bound, the same for the same seed (xorshift32). */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
