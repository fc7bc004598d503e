import { createHash } from 'node:crypto';
import { packFormatVersion } from '@kc/pack/format/pack-format';
import { can } from '@kc/rules/access';
import { rootKeyOf } from '@kc/rules/plan-match';
import { personOf, type RequestContext, visitorOf } from '../accounts/require.ts';
import type { Queryable } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import { published } from '../visualizations/access.ts';
import type { OwnedRecord } from '../visualizations/queries.ts';

/** The data set that judgements about warnings belong to. */
export type JudgedData = {
  readonly owner_id: string;
  readonly of_sample: boolean;
  readonly root_hash: string;
};

/** Names the root of a data set: SHA-256 of its folded name, as hex. */
export const rootHash = (name: string): string => createHash('sha256').update(rootKeyOf(name)).digest('hex');

/**
 * A visualization, and the data set that it shows, if this account may read and judge its warnings: the owner and
 * administrators. Everybody judges the sample for themselves.
 *
 * @throws the refusal as the contract's error
 */
export async function judgedData(
  db: Queryable,
  context: RequestContext,
  visualizationId: string,
): Promise<{ readonly record: OwnedRecord; readonly data: JudgedData }> {
  const record = await published(db, context, visualizationId);
  // Which links include warnings is decided before: see `requireLink`.
  const account = visitorOf(context) ? undefined : personOf(context).account;
  const action = { do: 'warnings/judge', ownerId: record.user_id, sample: record.is_sample } as const;
  if (account) allowed(can(account, action, context.builtInAdmins));
  if (record.pack_version !== packFormatVersion) throw asError({ code: 'visualization/being-rebuilt' });
  const data = {
    owner_id: record.is_sample && account ? account.id : record.user_id,
    of_sample: record.is_sample,
    root_hash: rootHash(record.root_name),
  };
  return { record, data };
}
