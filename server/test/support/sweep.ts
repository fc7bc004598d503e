import { createLog } from '../../src/log.ts';
import { databaseIdentity } from '../../src/storage/owner.ts';
import { type SweepDeps, type Swept, sweep } from '../../src/visualizations/cleanup/sweep.ts';

type Deps = Omit<SweepDeps, 'log'> & Partial<Pick<SweepDeps, 'log'>>;

/** Sweeps as if it were `now`, for rows and for objects. A storage that no server has claimed counts as the database's. */
export function sweepWhen({ storage, now, log = createLog('ERROR'), ...deps }: Deps): Promise<Swept> {
  const owner = async () => (await storage.owner()) ?? databaseIdentity(deps.db);
  return sweep({ ...deps, log, now, storage: { ...storage, owner, now: async () => now() } });
}
