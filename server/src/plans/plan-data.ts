import { packFormatVersion } from '@kc/pack/format/pack-format';
import { can } from '@kc/rules/access';
import { linkAllows, type Visitor } from '@kc/rules/link';
import type { Transaction } from 'kysely';
import { personOf, type RequestContext, visitorOf } from '../accounts/require.ts';
import type { Queryable } from '../database/open.ts';
import type { Database } from '../database/schema.ts';
import { allowed, asError } from '../http/refusals.ts';
import { published } from '../visualizations/access.ts';
import { lockActing, type MayDo } from '../visualizations/acting.ts';
import { dataSetOf, rootHash } from '../visualizations/data-sets.ts';
import { lockOwner } from '../visualizations/queries.ts';

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

/** Somebody who writes in a plan. */
export type PlanWriter = {
  /** The account that the history names. */
  readonly by: string;
  /**
   * Asks again whether they may, and keeps it so until the transaction ends.
   *
   * @returns the owner of the data; undefined if there is none any more
   * @throws the refusal as the contract's error
   */
  hold(tx: Transaction<Database>): Promise<string | undefined>;
};

/** The owner of the data, or an administrator. */
export function accountWriter(mayDo: MayDo, by: string, { ownerId, ofSample }: PlanData): PlanWriter {
  const action = { do: 'plans/use', ownerId, sample: ofSample } as const;
  return { by, hold: (tx) => lockActing(tx, mayDo, by, action) };
}

/**
 * A colleague whose link allows editing the plan. The accounts on whose rights the link depends are locked in the order of
 * their IDs, as `lockActing` does, and then the link itself.
 */
export function linkWriter(context: RequestContext, visitor: Visitor, by: string, data: PlanData): PlanWriter {
  return {
    by,
    async hold(tx) {
      const current = new Map<string, string | undefined>();
      for (const id of [...new Set(visitor.dependsOn)].sort()) current.set(id, await lockOwner(tx, id));
      const { accountId, visualizationId, ...again } = allowed(await context.readVisitorAgain(tx));
      if (!linkAllows(again, 'edit-plan')) throw asError({ code: 'request/not-found' });
      if (accountId !== by || visualizationId !== data.visualizationId) throw asError({ code: 'link/ended' });
      return current.get(data.ownerId);
    },
  };
}
