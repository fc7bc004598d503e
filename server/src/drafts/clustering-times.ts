import { type ClusteringTimes, countedRuns, minRunKeywords, ratesOf, type StageRates } from '@kc/rules/clustering-time';
import type { DraftStage } from '@kc/rules/draft';
import { api } from '../accounts/require.ts';
import type { Db, Queryable } from '../database/open.ts';

/** The contract's call about the time that clustering takes. */
export const clusteringTimeRoutes = (db: Db) => ({
  rates: api.clustering.rates.handler(() => readRates(db)),
});

/** The rates of this database's servers, by their last runs. */
export async function readRates(db: Queryable): Promise<StageRates> {
  const runs = await db.selectFrom('clustering_times').select(['keywords', 'stages']).execute();
  return ratesOf(runs);
}

/** Remembers what a run took, in place of the oldest one. */
export async function rememberTimes(transaction: Queryable, { keywords, stages }: ClusteringTimes): Promise<void> {
  if (keywords < minRunKeywords) return;
  await transaction
    .insertInto('clustering_times')
    .values({ keywords, stages: JSON.stringify(stages) })
    .execute();
  await transaction
    .deleteFrom('clustering_times')
    .where('id', 'not in', (query) =>
      query.selectFrom('clustering_times').select('id').orderBy('id', 'desc').limit(countedRuns),
    )
    .execute();
}

/** Measures the stages of a run. @param now milliseconds since 1970 */
export function stageClock(now: () => number) {
  const durations = new Map<DraftStage, number>();
  let current: DraftStage | undefined;
  let since = 0;
  const leave = (): void => {
    if (current) durations.set(current, (durations.get(current) ?? 0) + now() - since);
  };
  return {
    /** When the current stage began. */
    since: () => since,
    enter(stage: DraftStage): void {
      if (stage === current) return;
      leave();
      current = stage;
      since = now();
    },
    /** What each stage took; the last one ends now. */
    finish(): ClusteringTimes['stages'] {
      leave();
      current = undefined;
      return Object.fromEntries(durations);
    },
  };
}
