/**
 * How long a proof runs. In a test run it takes seconds; `npm run prove` sets these variables for a long run.
 *
 * `PROVE_RUNS`: the number of cases. `PROVE_MINUTES`: the time limit. `PROVE_SEED`: the random seed. A test run always
 * uses the same seed, so that a failure is reproducible.
 */
export function proof(fewRuns: number): { readonly runs: number; readonly endsAt: number; readonly seed: number } {
  const { PROVE_RUNS, PROVE_MINUTES, PROVE_SEED } = process.env;
  return {
    runs: PROVE_RUNS ? Number(PROVE_RUNS) : fewRuns,
    endsAt: PROVE_MINUTES ? Date.now() + Number(PROVE_MINUTES) * 60_000 : Number.POSITIVE_INFINITY,
    seed: PROVE_SEED ? Number(PROVE_SEED) : isLong ? Date.now() & 0x7fff_ffff : 1,
  };
}

/**
 * Some of the cases of a matrix, in its order: in a test run as many as it asks for, chosen by the seed; in a long run
 * all.
 *
 * @param of tells apart samples of the same cases; otherwise they would all be the same
 */
export function sample<Case>(cases: readonly Case[], few: number, of = 0): readonly Case[] {
  if (isLong || few >= cases.length) return cases;
  const random = randomFrom(proof(few).seed * 1_000_003 + of);
  const order = cases.map((_, index) => ({ index, at: random() })).sort((a, b) => a.at - b.at);
  const chosen = new Set(order.slice(0, few).map(({ index }) => index));
  return cases.filter((_, index) => chosen.has(index));
}

/** Random numbers from 0 up to 1, determined by the seed. Source: Mulberry32 by Tommy Ettinger, public domain. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whether this is the long run of `npm run prove`, which reports its progress. */
export const isLong = process.env.PROVE_RUNS !== undefined;

export function report(line: string): void {
  if (isLong) process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}
