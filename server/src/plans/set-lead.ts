import { notify } from '../database/notifications.ts';
import { type Db, inTransaction } from '../database/open.ts';
import { asError } from '../http/refusals.ts';
import { lockActing, type MayDo } from '../visualizations/acting.ts';
import { dataSetOf } from '../visualizations/data-sets.ts';
import { findVisualization } from '../visualizations/queries.ts';
import type { PlanData } from './plan-data.ts';
import { lockPlan } from './plan-queries.ts';

/**
 * Sets how many months before a peak to publish. It is no field of an entry: the last write holds.
 *
 * @throws the refusal as the contract's error if the data or the right to it is gone meanwhile
 */
export async function setLead(
  { db, mayDo, now }: { readonly db: Db; readonly mayDo: MayDo; now(): number },
  data: PlanData,
  by: string,
  lead: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const action = { do: 'plans/use', ownerId: data.ownerId, sample: data.ofSample } as const;
    const ownerId = await lockActing(tx, mayDo, by, action);
    const record = await findVisualization(tx, data.visualizationId);
    if (ownerId === undefined || !record) throw asError({ code: 'visualization/not-found' });
    const rootHash = await dataSetOf(tx, ownerId, data.ofSample, record.root_name);
    const { id } = await lockPlan(tx, { ...data, ownerId, rootHash }, new Date(now()));
    await tx.updateTable('plans').set({ lead_months: lead }).where('id', '=', id).execute();
    await notify(tx, { about: 'plans', accountId: ownerId });
  });
}
