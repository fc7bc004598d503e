import { type SweepDeps, type Swept, sweep } from '../../src/visualizations/cleanup/sweep.ts';

/** Sweeps as if it were `now`, for rows and for objects. */
export const sweepWhen = ({ storage, now, ...deps }: SweepDeps, dryRun = false): Promise<Swept> =>
  sweep({ ...deps, now, storage: { ...storage, now: async () => now() } }, dryRun);
