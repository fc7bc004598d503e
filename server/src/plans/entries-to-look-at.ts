import { limits } from '@kc/rules/limits';
import type { ServerParts } from '../server-parts.ts';
import type { PlannedEntry } from '../visualizations/query/plan-queries.ts';
import { entriesById, placesOf } from './plan-queries.ts';

/**
 * The entries of a plan that somebody has to look at in an upload: `missing` have no node there, `changed` are branches that have
 * kept little of the keywords that they had when they were planned. Of each kind at most as many as a call may name.
 *
 * @param packKey of the upload
 */
export async function entriesToLookAt(
  { db, packQueries }: Pick<ServerParts, 'db' | 'packQueries'>,
  planId: string,
  packKey: string,
  signal: AbortSignal | undefined,
) {
  const places = await placesOf(db, planId);
  const entries: PlannedEntry[] = places.map(({ id, paths }) => ({ id, paths }));
  const found = new Set((await packQueries.planPlaces({ packKey, entries, signal })).map(({ id }) => id));
  const some = async (isIncluded: (place: (typeof places)[number]) => boolean) => {
    const ids = places
      .filter(isIncluded)
      .slice(0, limits.maxPlanTargets)
      .map(({ id }) => id);
    return (await entriesById(db, planId, ids)).map(({ id, kind, fingerprint }) => ({
      id,
      kind,
      fingerprint: fingerprint.toString('hex').match(/.{16}/g) ?? [],
    }));
  };
  const missing = await some(({ id }) => !found.has(id));
  const branches = await some(({ id, kind }) => kind === 'branch' && found.has(id));
  const changed = branches.length === 0 ? [] : await packQueries.changedEntries({ packKey, entries, branches, signal });
  return { entries, missing, changed };
}
