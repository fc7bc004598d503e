import { packFormatVersion } from '@kc/pack/format/pack-format';
import { can } from '@kc/rules/access';
import { personOf, type RequestContext, visitorOf } from '../accounts/require.ts';
import type { Queryable } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import { published } from '../visualizations/access.ts';
import { dataSetOf, rootHash } from '../visualizations/data-sets.ts';

/** The data set that a plan belongs to, and the upload in which it is looked at. */
export type PlanData = {
  readonly ownerId: string;
  readonly ofSample: boolean;
  /** The data set: see `dataSetOf`. */
  readonly rootHash: string;
  /** The root of the upload itself: see `rootHash`. */
  readonly root: string;
  readonly packKey: string;
  readonly visualizationId: string;
};

/**
 * The data set of a visualization, if this account may use its plan: the owner and administrators. Everybody has a plan
 * of their own for the sample.
 *
 * @throws the refusal as the contract's error
 */
export async function planData(db: Queryable, context: RequestContext, visualizationId: string): Promise<PlanData> {
  const record = await published(db, context, visualizationId);
  // Which links include the plan is decided before: see `requireLink`.
  const account = visitorOf(context) ? undefined : personOf(context).account;
  const action = { do: 'plans/use', ownerId: record.user_id, sample: record.is_sample } as const;
  if (account) allowed(can(account, action, context.builtInAdmins));
  if (record.pack_version !== packFormatVersion) throw asError({ code: 'visualization/being-rebuilt' });
  const ownerId = record.is_sample && account ? account.id : record.user_id;
  return {
    ownerId,
    ofSample: record.is_sample,
    rootHash: await dataSetOf(db, ownerId, record.is_sample, record.root_name),
    root: rootHash(record.root_name),
    packKey: record.pack_key,
    visualizationId: record.id,
  };
}
