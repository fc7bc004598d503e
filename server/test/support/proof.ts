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

/** Whether this is the long run of `npm run prove`, which reports its progress. */
export const isLong = process.env.PROVE_RUNS !== undefined;

export function report(line: string): void {
  if (isLong) process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}
