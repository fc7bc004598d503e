import type { PlanEntry } from '@kc/rules/plan-shapes';
import type { PlanState } from './plan-state.ts';

/** A name for one state of a plan, and what it stands for: what each entry with a node tells the map. */
export type PlanStamp = { readonly stamp: string; readonly told: ReadonlyMap<string, string> };

/** What an entry tells the map. */
type Tells = (entry: PlanEntry) => string;
export const tellsStatus: Tells = ({ status }) => status;
/** The fields that a filter can name. */
export const tellsFields: Tells = ({ assignee, contentType, tags, due }) =>
  JSON.stringify([assignee, contentType, tags, due]);

/**
 * The name of the state of a plan as far as the map shows it: which nodes tell what. It stays the same as long as that does,
 * whatever else is written. Undefined until the plan is loaded.
 */
export function planStampOf(
  { entries, isLoaded, revision, matching }: PlanState,
  before: PlanStamp | undefined,
  tells: Tells,
): PlanStamp | undefined {
  if (!isLoaded) return before;
  const told = new Map<string, string>();
  // Answers to own writes come before the revision that they made is read.
  let newest = revision;
  for (const entry of entries.values()) {
    const { id, isPlanned, node, rev } = entry;
    newest = Math.max(newest, rev);
    if (isPlanned && node !== undefined) told.set(id, `${node} ${tells(entry)}`);
  }
  if (before && areEqual(before.told, told)) return before;
  return { stamp: `${newest}.${matching}`, told };
}

function areEqual(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  if (one.size !== other.size) return false;
  for (const [id, text] of one) if (other.get(id) !== text) return false;
  return true;
}
