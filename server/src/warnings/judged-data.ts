import { packFormatVersion } from '@kc/pack/format/pack-format';
import { can } from '@kc/rules/access';
import { personOf, type RequestContext, visitorOf } from '../accounts/require.ts';
import type { Queryable } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import { published } from '../visualizations/access.ts';
import { dataSetOf } from '../visualizations/data-sets.ts';
import type { OwnedRecord } from '../visualizations/queries.ts';

/** The data set that judgements about warnings belong to. */
export type JudgedData = {
  readonly owner_id: string;
  readonly of_sample: boolean;
  /** See `dataSetOf`. */
  readonly root_hash: string;
};

export type Judged = { readonly record: OwnedRecord; readonly data: JudgedData };

/**
 * A visualization, and the data set that it shows, if this account may read and judge its warnings: the owner and
 * administrators. Everybody judges the sample for themselves.
 *
 * @throws the refusal as the contract's error
 */
export async function judgedData(db: Queryable, context: RequestContext, visualizationId: string): Promise<Judged> {
  const record = await published(db, context, visualizationId);
  // Which links include warnings is decided before: see `requireLink`.
  const account = visitorOf(context) ? undefined : personOf(context).account;
  const action = { do: 'warnings/judge', ownerId: record.user_id, sample: record.is_sample } as const;
  if (account) allowed(can(account, action, context.builtInAdmins));
  if (record.pack_version !== packFormatVersion) throw asError({ code: 'visualization/being-rebuilt' });
  const owner_id = record.is_sample && account ? account.id : record.user_id;
  const data = {
    owner_id,
    of_sample: record.is_sample,
    root_hash: await dataSetOf(db, owner_id, record.is_sample, record.root_name),
  };
  return { record, data };
}
