import { deletedOwner, ownerAccount } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import type { PlannedPlace } from '../visualizations/query/plan-queries.ts';
import type { EntryRecord } from './plan-queries.ts';

/**
 * @param place the node of the entry in the visualization that is looked at
 * @param names of accounts by ID
 */
export function toEntryResponse(
  entry: EntryRecord,
  place: PlannedPlace | undefined,
  names: ReadonlyMap<string, string>,
): PlanEntry {
  const { tags, ...fields } = entry.fields;
  const account = ownerAccount(fields.assignee);
  const lastKnown = { keywords: entry.keywords, ...(entry.volume !== null && { volume: entry.volume }) };
  const figures = place
    ? { node: place.address, keywords: place.keywords, ...(place.volume !== undefined && { volume: place.volume }) }
    : lastKnown;
  return {
    id: entry.id,
    kind: entry.kind,
    rev: entry.rev,
    path: entry.paths[0]!.map(([name]) => name),
    ...figures,
    ...fields,
    ...(account !== undefined && { assignee: names.get(account) ?? deletedOwner, assigneeId: account }),
    tags: [...tags],
    marks: { ...entry.marks } as PlanEntry['marks'],
    addedBy: entry.added_by,
    addedAt: entry.added_at.getTime(),
  };
}

/** The accounts that some entries name. */
export const accountsIn = (entries: readonly EntryRecord[]): string[] =>
  entries.flatMap(({ marks, fields, added_by }) => [
    added_by,
    ...ownersOf(fields.assignee),
    ...Object.values(marks).map(({ by }) => by),
  ]);

const ownersOf = (assignee: string): string[] => {
  const account = ownerAccount(assignee);
  return account === undefined ? [] : [account];
};
