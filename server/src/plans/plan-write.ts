import { limits } from '@kc/rules/limits';
import type { FieldChange, FieldMark } from '@kc/rules/plan-merge';
import { notify } from '../database/notifications.ts';
import { inTransaction, type Queryable, type Tx } from '../database/open.ts';
import type { KeptAnswer } from '../database/plan-tables.ts';
import type { ServerParts } from '../server-parts.ts';
import { type NotifyOwners, recordAssignments } from './assignment-mails.ts';
import { currentPlanData, type PlanData, type PlanWriter } from './plan-data.ts';
import {
  addChanges,
  countEntries,
  type EntryRecord,
  entriesAtPaths,
  lockPlan,
  type PlanRecord,
  storeEntries,
} from './plan-queries.ts';

/** A write in progress: its transaction, and the plan as it was before the write. */
export type PlanWrite = {
  readonly tx: Tx;
  readonly plan: PlanRecord;
  /** The mark that the fields it changes get. */
  readonly stamp: FieldMark;
  readonly batch: string;
  /** To be called if entries that the write does not change may have other nodes afterwards. */
  changesMatching(): void;
  /** The number of entries in the plan. */
  count(): Promise<number>;
};

/** The result of a write, to be stored. */
export type Written = {
  /** The entries that it changes, as they are afterwards. */
  readonly entries: EntryRecord[];
  readonly changes: (Omit<FieldChange, 'field'> & {
    field: string;
    readonly entryId: string;
    readonly planId: string;
  })[];
  readonly conflicts: { entry: string; field: string }[];
  isFull: boolean;
  /** The IDs of all entries that it names, changed or not. */
  readonly named: string[];
};

type PlanWriteDeps = Pick<ServerParts, 'db' | 'announce' | 'now'> & { readonly notifyOwners: NotifyOwners };

/** Who writes, the ID of the batch, and whether people are notified of entries that they are made the owners of. */
type PlanWriteBy = { readonly writer: PlanWriter; readonly batch: string; readonly notifiesOwners: boolean };

/**
 * Runs a write in a transaction of its own. A batch that was written before changes nothing and gets the same answer again.
 *
 * @throws what `work` throws; the refusal as the contract's error if the data were deleted or the right to them was lost meanwhile
 */
export async function writePlan(
  { db, notifyOwners, announce, now }: PlanWriteDeps,
  data: PlanData,
  { writer, batch, notifiesOwners }: PlanWriteBy,
  work: (write: PlanWrite) => Promise<Written>,
): Promise<KeptAnswer> {
  const at = now();
  const { by } = writer;
  return inTransaction(db, async (tx) => {
    const { record, set } = await currentPlanData(tx, await writer.hold(tx), data);
    const plan = await lockPlan(tx, set, new Date(at));
    const before = await findBatch(tx, plan.id, batch);
    if (before) return before;
    let isMatchingChanged = false;
    const written = await work({
      tx,
      plan,
      batch,
      stamp: { rev: plan.revision + 1, by, at },
      changesMatching() {
        isMatchingChanged = true;
      },
      count: () => countEntries(tx, plan.id),
    });
    const answer = { entries: written.named, conflicts: written.conflicts, isFull: written.isFull };
    await keepBatch(tx, plan.id, batch, answer, at);
    if (written.entries.length === 0) return answer;
    await storeEntries(tx, written.entries);
    await addChanges(
      tx,
      written.changes.map(({ entryId, planId, field, before: from, after }) => ({
        plan_id: planId,
        entry_id: entryId,
        revision: plan.revision + 1,
        field,
        before: from,
        after,
        by_account: by,
        at: new Date(at),
        batch,
      })),
    );
    if (notifiesOwners) {
      const done = { by, visualizationId: record.id, at: new Date(at) };
      for (const account of await recordAssignments(tx, written.changes, done)) await notifyOwners(tx, account, at);
    }
    await tx
      .updateTable('plans')
      .set({ revision: plan.revision + 1, matching: plan.matching + Number(isMatchingChanged) })
      .where('id', '=', plan.id)
      .execute();
    await notify(tx, { about: 'plans', accountId: set.owner_id });
    // Everybody has a plan of their own for the sample, to try things.
    if (written.changes.length > 0 && !set.of_sample) {
      await announce(tx, {
        event: 'plan.changed',
        planId: plan.id,
        visualizationId: record.id,
        byId: by,
        revision: plan.revision + 1,
        entries: [...new Set(written.changes.map(({ entryId }) => entryId))],
        changes: written.changes.length,
      });
    }
    return answer;
  });
}

/** Whether some entries have different places, at none of which another entry of the plan is. */
export async function placeIsFree({ tx, plan }: PlanWrite, entries: readonly EntryRecord[]): Promise<boolean> {
  if (entries.length === 0) return true;
  const ids = new Set(entries.map(({ id }) => id));
  const hashes = new Set(entries.map(({ path_hashes }) => path_hashes[0]!));
  if (hashes.size < entries.length) return false;
  const there = await entriesAtPaths(tx, plan.id, [...hashes]);
  return !there.some(({ id, is_planned, path_hashes }) => is_planned && !ids.has(id) && hashes.has(path_hashes[0]!));
}

async function findBatch(tx: Queryable, planId: string, batch: string): Promise<KeptAnswer | undefined> {
  const found = await tx
    .selectFrom('plan_batches')
    .select('answer')
    .where('plan_id', '=', planId)
    .where('batch', '=', batch)
    .executeTakeFirst();
  return found?.answer;
}

async function keepBatch(tx: Queryable, plan_id: string, batch: string, answer: KeptAnswer, at: number): Promise<void> {
  await tx
    .deleteFrom('plan_batches')
    .where('plan_id', '=', plan_id)
    .where('at', '<', new Date(at - limits.planBatchKeptMs))
    .execute();
  await tx
    .insertInto('plan_batches')
    .values({ plan_id, batch, answer: JSON.stringify(answer), at: new Date(at) })
    .execute();
}
