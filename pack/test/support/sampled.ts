const { PROVE_RUNS } = process.env;

/** Whether this is a long run of `npm run prove`. */
export const isLong = PROVE_RUNS !== undefined;

/**
 * How many cases of a random test run: an eighth of those that it is meant for, and `PROVE_RUNS` times as many as those
 * in `npm run prove -- properties`.
 */
export const sampled = (cases: number): number => (PROVE_RUNS ? cases * Number(PROVE_RUNS) : Math.ceil(cases / 8));
