import { linkAllows, type Visitor } from '@kc/rules/link';
import type { RequestContext } from '../accounts/require.ts';
import type { Queryable, Tx } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import { lockActing, type MayDo } from '../visualizations/acting.ts';
import { currentDataSet, type DataSet, openDataSet, rootHash } from '../visualizations/data-sets.ts';
import { lockOwners } from '../visualizations/queries.ts';

/** The data set that a plan belongs to, and the upload in which it is looked at. */
export type PlanData = {
  readonly set: DataSet;
  /** The root of the upload itself: see `rootHash`. */
  readonly root: string;
  readonly packKey: string;
  readonly visualizationId: string;
};

/**
 * The data set of a visualization, if this account may use its plan.
 *
 * @throws the refusal as the contract's error
 */
export async function planData(db: Queryable, context: RequestContext, visualizationId: string): Promise<PlanData> {
  const { record, set } = await openDataSet(db, context, visualizationId, 'plans/use');
  return { set, root: rootHash(record.root_name), packKey: record.pack_key, visualizationId: record.id };
}

/** {@link currentDataSet} for a write to a plan. */
export const currentPlanData = (tx: Queryable, ownerId: string | undefined, { visualizationId, set }: PlanData) =>
  currentDataSet(tx, ownerId, { visualizationId, ofSample: set.of_sample });

/** Somebody who writes in a plan. */
export type PlanWriter = {
  /** The account that the history names. */
  readonly by: string;
  /**
   * Checks again whether they may, and locks this until the transaction ends.
   *
   * @returns the owner of the data; undefined if there is none any more
   * @throws the refusal as the contract's error
   */
  hold(tx: Tx): Promise<string | undefined>;
};

/** The owner of the data, or an administrator. */
export function accountWriter(mayDo: MayDo, by: string, { set }: PlanData): PlanWriter {
  const action = { do: 'plans/use', ownerId: set.owner_id, sample: set.of_sample } as const;
  return { by, hold: (tx) => lockActing(tx, mayDo, by, action) };
}

/**
 * A colleague whose link allows editing the plan. The accounts on whose rights the link depends are locked, and
 * then the link itself.
 */
export function linkWriter(context: RequestContext, visitor: Visitor, by: string, data: PlanData): PlanWriter {
  return {
    by,
    async hold(tx) {
      const current = await lockOwners(tx, visitor.dependsOn);
      const { accountId, visualizationId, ...again } = allowed(await context.readVisitorAgain(tx));
      if (!linkAllows(again, 'edit-plan')) throw asError({ code: 'request/not-found' });
      if (accountId !== by || visualizationId !== data.visualizationId) throw asError({ code: 'link/ended' });
      return current(data.set.owner_id);
    },
  };
}
