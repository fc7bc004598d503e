import type { PlanState } from './plan-state.ts';

/** A name of the statuses of a plan, and what it stands for. */
export type PlanStamp = { readonly stamp: string; readonly statuses: ReadonlyMap<string, string> };

/**
 * The name of the state of a plan as far as colours and filters show it: which nodes have which status. It stays the
 * same as long as these do, whatever else is written. Undefined until the plan is loaded.
 */
export function planStampOf(
  { entries, isLoaded, revision, matching }: PlanState,
  before: PlanStamp | undefined,
): PlanStamp | undefined {
  if (!isLoaded) return before;
  const statuses = new Map<string, string>();
  // Answers to own writes come before the revision that they made is read.
  let newest = revision;
  for (const { id, isPlanned, node, status, rev } of entries.values()) {
    newest = Math.max(newest, rev);
    if (isPlanned && node !== undefined) statuses.set(id, `${node} ${status}`);
  }
  if (before && areEqual(before.statuses, statuses)) return before;
  return { stamp: `${newest}.${matching}`, statuses };
}

function areEqual(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  if (one.size !== other.size) return false;
  for (const [id, status] of one) if (other.get(id) !== status) return false;
  return true;
}
