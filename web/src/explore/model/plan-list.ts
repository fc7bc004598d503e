import { type PlanField, planStatuses } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';

/** A column of the list of entries. Those with a field can be edited in place. */
export type PlanColumn = {
  readonly id: 'name' | 'keywords' | 'volume' | Exclude<PlanField, 'isPlanned' | 'primaryKeyword'>;
  readonly title: string;
  /** In CSS pixels. */
  readonly width: number;
  readonly isNumber?: boolean;
};

export const planColumns: readonly PlanColumn[] = [
  { id: 'name', title: 'Name', width: 220 },
  { id: 'status', title: 'Status', width: 116 },
  { id: 'assignee', title: 'Owner', width: 124 },
  { id: 'due', title: 'Due', width: 132 },
  { id: 'contentType', title: 'Content type', width: 132 },
  { id: 'url', title: 'Target URL', width: 190 },
  { id: 'tags', title: 'Tags', width: 150 },
  { id: 'note', title: 'Note', width: 200 },
  { id: 'keywords', title: 'Keywords', width: 96, isNumber: true },
  { id: 'volume', title: 'Volume', width: 96, isNumber: true },
];

export type PlanSort = { readonly by: PlanColumn['id']; readonly descending: boolean };
/** As in the panel. */
export const usualPlanSort: PlanSort = { by: 'volume', descending: true };

/**
 * The entries below a path, in order. What is not known or not set comes last in both directions; equal ones are in the
 * order of their paths.
 *
 * @param within the names from below the root to the focus
 */
export function listedEntries(
  entries: readonly PlanEntry[],
  { by, descending }: PlanSort,
  within: readonly string[] = [],
): PlanEntry[] {
  const sign = descending ? -1 : 1;
  return entries
    .filter(({ path }) => within.every((name, at) => path[at] === name))
    .map((entry) => ({ entry, key: keyOf(entry, by), path: entry.path.join('\u0000') }))
    .sort((one, other) => {
      if (one.key !== other.key) {
        if (one.key === undefined) return 1;
        if (other.key === undefined) return -1;
        return sign * compare(one.key, other.key);
      }
      return compare(one.path, other.path);
    })
    .map(({ entry }) => entry);
}

const compare = <T extends string | number>(one: T, other: T): number => (one < other ? -1 : one > other ? 1 : 0);

function keyOf(entry: PlanEntry, by: PlanColumn['id']): string | number | undefined {
  switch (by) {
    case 'name':
      return entry.path.at(-1)?.toLowerCase();
    case 'keywords':
    case 'volume':
      return entry[by];
    case 'status':
      return planStatuses.indexOf(entry.status);
    case 'tags':
      return entry.tags.join(', ').toLowerCase() || undefined;
    default:
      return entry[by].toLowerCase() || undefined;
  }
}

/** The tags to add and to remove so that an entry has those of a list with commas. */
export function tagChange(
  before: readonly string[],
  text: string,
): { readonly addTags: string[]; readonly removeTags: string[] } {
  const wanted = new Set(
    text
      .split(',')
      .map((tag) => tag.replace(/\s+/gu, ' ').trim())
      .filter((tag) => tag !== ''),
  );
  return {
    addTags: [...wanted].filter((tag) => !before.includes(tag)),
    removeTags: before.filter((tag) => !wanted.has(tag)),
  };
}
