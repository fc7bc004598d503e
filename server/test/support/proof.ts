/**
 * How long a proof goes on. In the test run it takes seconds; `npm run prove` sets these variables for the long one.
 *
 * `PROVE_RUNS`: how many cases. `PROVE_MINUTES`: when to stop whatever is left. `PROVE_SEED`: where chance begins. The
 * test run always begins at the same place: what is red there is red for everybody.
 */
export function proof(fewRuns: number): { readonly runs: number; readonly endsAt: number; readonly seed: number } {
  const { PROVE_RUNS, PROVE_MINUTES, PROVE_SEED } = process.env;
  return {
    runs: PROVE_RUNS ? Number(PROVE_RUNS) : fewRuns,
    endsAt: PROVE_MINUTES ? Date.now() + Number(PROVE_MINUTES) * 60_000 : Number.POSITIVE_INFINITY,
    seed: PROVE_SEED ? Number(PROVE_SEED) : isLong ? Date.now() & 0x7fff_ffff : 1,
  };
}

/** Whether this is the long run of `npm run prove`, which says how far it is. */
export const isLong = process.env.PROVE_RUNS !== undefined;

export function report(line: string): void {
  if (isLong) process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}
