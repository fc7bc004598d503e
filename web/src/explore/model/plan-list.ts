import { type PlanStatus, planStatuses } from '@kc/pack/vocabulary/choices';
import { contentTypes, type PlanField } from '@kc/rules/plan';
import type { PlanEntry, PlanFigures } from '@kc/rules/plan-shapes';

/** An entry as the list has it: with the figures of what a filter keeps, and the share with a page where it is known. */
export type ListedEntry = PlanEntry & Pick<PlanFigures['entries'][number], 'covered'>;

/** A column of the list of entries. Those with a field can be edited in place. */
export type PlanColumn = {
  readonly id: 'name' | 'keywords' | 'volume' | 'covered' | Exclude<PlanField, 'isPlanned' | 'primaryKeyword'>;
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
  { id: 'covered', title: 'Covered', width: 96, isNumber: true },
];

export type PlanSort = { readonly by: PlanColumn['id']; readonly descending: boolean };
/** As in the panel. */
export const defaultPlanSort: PlanSort = { by: 'volume', descending: true };

/**
 * The entries below a path, in order. What is not known or not set comes last in both directions; equal ones are in the
 * order of their paths.
 *
 * @param within the names from below the root to the focus
 */
export function listedEntries(
  entries: readonly ListedEntry[],
  { by, descending }: PlanSort,
  within: readonly string[] = [],
): ListedEntry[] {
  const sign = descending ? -1 : 1;
  return entries
    .filter(isWithin(within))
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

/** Whether an entry is at or below a path. @param within the names from below the root */
export const isWithin =
  (within: readonly string[]) =>
  ({ path }: Pick<PlanEntry, 'path'>): boolean =>
    within.every((name, at) => path[at] === name);

const compare = <T extends string | number>(one: T, other: T): number => (one < other ? -1 : one > other ? 1 : 0);

function keyOf(entry: ListedEntry, by: PlanColumn['id']): string | number | undefined {
  switch (by) {
    case 'name':
      return entry.path.at(-1)?.toLowerCase();
    case 'keywords':
    case 'volume':
      return entry[by];
    case 'covered':
      return entry.covered?.share;
    case 'status':
      return planStatuses.indexOf(entry.status);
    case 'tags':
      return entry.tags.join(', ').toLowerCase() || undefined;
    default:
      return entry[by].toLowerCase() || undefined;
  }
}

/**
 * Entries with their figures in the map. Under a filter, only those that it keeps something of.
 *
 * @param figures absent until they are known
 */
export function withFigures(
  entries: readonly PlanEntry[],
  figures: PlanFigures['entries'] | undefined,
  isFiltered: boolean,
): readonly ListedEntry[] {
  if (!figures) return entries;
  const figuresById = new Map(figures.map((one) => [one.entry, one]));
  return entries.flatMap((entry): readonly ListedEntry[] => {
    const entryFigures = figuresById.get(entry.id);
    if (!entryFigures) return isFiltered ? [] : [entry];
    const { volume: _, ...others } = entry;
    const { keywords, volume, covered } = entryFigures;
    return [{ ...others, keywords, ...(volume !== undefined && { volume }), ...(covered && { covered }) }];
  });
}

/** The tags to add and to remove so that an entry has those of a list with commas. */
export function tagChange(
  before: readonly string[],
  text: string,
): { readonly addTags: string[]; readonly removeTags: string[] } {
  const nextTags = new Set(
    text
      .split(',')
      .map((tag) => tag.replace(/\s+/gu, ' ').trim())
      .filter((tag) => tag !== ''),
  );
  return {
    addTags: [...nextTags].filter((tag) => !before.includes(tag)),
    removeTags: before.filter((tag) => !nextTags.has(tag)),
  };
}

/** When an entry is due, from the current month: before it, in it or the next two, later, or without a month. */
export const dueChoices = ['overdue', 'soon', 'later', 'none'] as const;
export type DueChoice = (typeof dueChoices)[number];

/** Which entries the list of the plan shows. What is absent asks for nothing; an empty text asks for an empty field. */
export type PlanListFilter = {
  readonly status?: PlanStatus;
  /** The name of an owner who is no account; of whoever has that name, in addresses that were kept before accounts were. */
  readonly assignee?: string;
  /** The account of an owner, who may be renamed. */
  readonly account?: string;
  readonly contentType?: PlanEntry['contentType'];
  readonly tag?: string;
  readonly due?: DueChoice;
};

/** The order and the filter of the list of the plan. */
export type PlanListLook = { readonly sort: PlanSort; readonly filter: PlanListFilter };

/** The look as a short text for the address; empty for the default one. */
export function writePlanList({ sort, filter }: PlanListLook): string {
  const text = new URLSearchParams();
  if (sort.by !== defaultPlanSort.by || sort.descending !== defaultPlanSort.descending)
    text.set('by', `${sort.descending ? '-' : ''}${sort.by}`);
  for (const name of ['status', 'assignee', 'account', 'contentType', 'tag', 'due'] as const) {
    const value = filter[name];
    if (value !== undefined) text.set(name, value);
  }
  return text.toString();
}

/** The look of a text. What cannot be read is left out. */
export function readPlanList(text: string): PlanListLook {
  const parameters = new URLSearchParams(text);
  const by = parameters.get('by') ?? '';
  const column = planColumns.find(({ id }) => id === by.replace(/^-/, ''));
  const oneOf = <T extends string>(values: readonly T[], value: string | null) => values.find((one) => one === value);
  const [assignee, account, tag] = [parameters.get('assignee'), parameters.get('account'), parameters.get('tag')];
  const status = oneOf(planStatuses, parameters.get('status'));
  const contentType = oneOf([...contentTypes, ''] as const, parameters.get('contentType'));
  const due = oneOf(dueChoices, parameters.get('due'));
  return {
    sort: column ? { by: column.id, descending: by.startsWith('-') } : defaultPlanSort,
    filter: {
      ...(status && { status }),
      ...(assignee !== null && { assignee }),
      ...(account !== null && { account }),
      ...(contentType !== undefined && { contentType }),
      ...(tag !== null && { tag }),
      ...(due && { due }),
    },
  };
}

/** The month after so many others: `2027-01` is two after `2026-11`. */
export function monthAfter(month: string, months: number): string {
  const [year, monthNumber] = month.split('-').map(Number) as [number, number];
  const monthIndex = 12 * year + monthNumber - 1 + months;
  return `${Math.floor(monthIndex / 12)}-${`${(monthIndex % 12) + 1}`.padStart(2, '0')}`;
}

/** The current month of the reader, such as `2026-11`. */
export const monthOf = (now: Date): string => `${now.getFullYear()}-${`${now.getMonth() + 1}`.padStart(2, '0')}`;

/** Months that count as soon, the current one included. */
const soonMonths = 3;

/** When an entry is due. What is live is never overdue. @param month the current one */
export function dueOf({ due, status }: Pick<PlanEntry, 'due' | 'status'>, month: string): DueChoice | undefined {
  if (due === '') return 'none';
  if (due < month) return status === 'live' ? undefined : 'overdue';
  return due <= monthAfter(month, soonMonths - 1) ? 'soon' : 'later';
}

/** Whether the list shows an entry. @param month the current one */
export function isListed(entry: PlanEntry, filter: PlanListFilter, month: string): boolean {
  const { status, assignee, account, contentType, tag, due } = filter;
  return (
    (status === undefined || entry.status === status) &&
    (assignee === undefined || entry.assignee === assignee) &&
    (account === undefined || entry.assigneeId === account) &&
    (contentType === undefined || entry.contentType === contentType) &&
    (tag === undefined || (tag === '' ? entry.tags.length === 0 : entry.tags.includes(tag))) &&
    (due === undefined || dueOf(entry, month) === due)
  );
}
