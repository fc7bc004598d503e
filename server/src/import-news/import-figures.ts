import { packFormatVersion } from '@kc/pack/format/pack-format';
import { type ChangeLevel, changeLevels, defaultThresholds } from '@kc/pack/vocabulary/changes';
import type { ImportChanges } from '@kc/rules/webhook';
import type { Queryable } from '../database/open.ts';
import { entriesToLookAt } from '../plans/entries-to-look-at.ts';
import { findPlan } from '../plans/plan-queries.ts';
import type { ServerParts } from '../server-parts.ts';
import { dataSetOf, uploadsOfDataSet } from '../visualizations/data-sets.ts';
import { findVisualization, type OwnedRecord } from '../visualizations/queries.ts';

/** What an upload changed: `first` if there is none before it; undefined if the two cannot be compared at the moment. */
export type Compared = ImportChanges | 'first' | undefined;

/**
 * The figures of the panel "Changes", with its usual thresholds, from the upload before of the same data; and how many entries of
 * the plan the upload does not have, or has with mostly other keywords.
 *
 * Cost: of the panel, twice, once for each level; the second time the comparison is there.
 *
 * @throws whatever reading the packs throws
 */
export async function compareWithBefore(
  { db, packQueries }: Pick<ServerParts, 'db' | 'packQueries'>,
  record: OwnedRecord,
  signal: AbortSignal,
): Promise<Compared> {
  const before = await uploadBefore(db, record);
  if (!before) return 'first';
  if ([record, before].some(({ pack_version }) => pack_version !== packFormatVersion)) return undefined;
  const countsOf = async (level: ChangeLevel) => {
    const query = { level, kind: undefined, from: 0, count: 1, within: undefined };
    const asked = { packKey: record.pack_key, vsKey: before.pack_key, filter: '', thresholds: defaultThresholds };
    const { counts } = await packQueries.changes({ ...asked, query, signal });
    const { new: added, gone, moved, 'volume-up': volumeUp, 'volume-down': volumeDown } = counts;
    return { new: added, gone, moved, volumeUp, volumeDown };
  };
  const [clusters, keywords] = [await countsOf(changeLevels[0]), await countsOf(changeLevels[1])];
  const planEntries = await planEntriesToLookAt({ db, packQueries }, record, signal);
  return { since: before.id, clusters, keywords, ...(planEntries !== undefined && { planEntries }) };
}

/** The upload of the same data before this one. */
async function uploadBefore(db: Queryable, { id, user_id, root_name }: OwnedRecord): Promise<OwnedRecord | undefined> {
  const all = await uploadsOfDataSet(db, user_id, await dataSetOf(db, user_id, false, root_name));
  const before = all[all.indexOf(id) + 1];
  return before === undefined ? undefined : findVisualization(db, before);
}

async function planEntriesToLookAt(
  deps: Pick<ServerParts, 'db' | 'packQueries'>,
  { user_id: owner_id, root_name, pack_key }: OwnedRecord,
  signal: AbortSignal,
): Promise<number | undefined> {
  const root_hash = await dataSetOf(deps.db, owner_id, false, root_name);
  const plan = await findPlan(deps.db, { owner_id, of_sample: false, root_hash });
  if (!plan) return undefined;
  const { missing, changed } = await entriesToLookAt(deps, plan.id, pack_key, signal);
  return missing.length + changed.length;
}
