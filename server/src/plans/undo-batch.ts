import { limits } from '@kc/rules/limits';
import type { PlanField } from '@kc/rules/plan';
import { undoOf } from '@kc/rules/plan-merge';
import { asError } from '../http/refusals.ts';
import { mergeAll } from './change-plan.ts';
import { changesOfBatch, entriesById } from './plan-queries.ts';
import type { PlanWrite, Written } from './plan-write.ts';

/**
 * Takes back what the same person's write did to fields, except fields that somebody has changed since.
 *
 * @throws the refusal as the contract's error if there was no such write, or it is too old
 */
export async function undoBatch(write: PlanWrite, undone: string): Promise<Written> {
  const { tx, plan, stamp } = write;
  const changes = await changesOfBatch(tx, plan.id, undone);
  const first = changes[0];
  const isOld = first && stamp.at - first.at.getTime() > limits.planUndoMs;
  if (!first || isOld || first.by_account !== stamp.by) throw asError({ code: 'plan/no-undo' });
  const entries = await entriesById(
    tx,
    plan.id,
    changes.map(({ entry_id }) => entry_id),
  );
  const written: Written = { entries: [], changes: [], conflicts: [], isFull: false, named: [] };
  const byEntry = Map.groupBy(changes, ({ entry_id }) => entry_id);
  for (const entry of entries) {
    const own = byEntry.get(entry.id)!.filter(({ field }) => field !== 'path');
    const change = undoOf(own.map(({ field, before, after }) => ({ field: field as PlanField, before, after })));
    const merged = mergeAll(write, [entry], change, first.revision, 'all');
    written.entries.push(...merged.entries);
    written.changes.push(...merged.changes);
    written.conflicts.push(...merged.conflicts);
    written.named.push(...merged.named);
  }
  return written;
}
