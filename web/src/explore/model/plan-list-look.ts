import { contentTypes, type PlanStatus, planStatuses } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { type PlanSort, planColumns, usualPlanSort } from './plan-list.ts';

/** When an entry is due, from the current month: before it, in it or the next two, later, or without a month. */
export const dueChoices = ['overdue', 'soon', 'later', 'none'] as const;
export type DueChoice = (typeof dueChoices)[number];

/** Which entries the list of the plan shows. What is absent asks for nothing; an empty text asks for an empty field. */
export type PlanListFilter = {
  readonly status?: PlanStatus;
  readonly assignee?: string;
  readonly contentType?: PlanEntry['contentType'];
  readonly tag?: string;
  readonly due?: DueChoice;
};

/** The order and the filter of the list of the plan. */
export type PlanListLook = { readonly sort: PlanSort; readonly filter: PlanListFilter };

/** The look as a short text for the address; empty for the usual one. */
export function writePlanList({ sort, filter }: PlanListLook): string {
  const text = new URLSearchParams();
  if (sort.by !== usualPlanSort.by || sort.descending !== usualPlanSort.descending)
    text.set('by', `${sort.descending ? '-' : ''}${sort.by}`);
  for (const name of ['status', 'assignee', 'contentType', 'tag', 'due'] as const) {
    const value = filter[name];
    if (value !== undefined) text.set(name, value);
  }
  return text.toString();
}

/** The look of a text. What cannot be read is left out. */
export function readPlanList(text: string): PlanListLook {
  const given = new URLSearchParams(text);
  const by = given.get('by') ?? '';
  const column = planColumns.find(({ id }) => id === by.replace(/^-/, ''));
  const oneOf = <T extends string>(values: readonly T[], value: string | null) => values.find((one) => one === value);
  const [assignee, tag] = [given.get('assignee'), given.get('tag')];
  const status = oneOf(planStatuses, given.get('status'));
  const contentType = oneOf([...contentTypes, ''] as const, given.get('contentType'));
  const due = oneOf(dueChoices, given.get('due'));
  return {
    sort: column ? { by: column.id, descending: by.startsWith('-') } : usualPlanSort,
    filter: {
      ...(status && { status }),
      ...(assignee !== null && { assignee }),
      ...(contentType !== undefined && { contentType }),
      ...(tag !== null && { tag }),
      ...(due && { due }),
    },
  };
}

/** The month after so many others: `2027-01` is two after `2026-11`. */
export function monthAfter(month: string, months: number): string {
  const [year, nth] = month.split('-').map(Number) as [number, number];
  const at = 12 * year + nth - 1 + months;
  return `${Math.floor(at / 12)}-${`${(at % 12) + 1}`.padStart(2, '0')}`;
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
  const { status, assignee, contentType, tag, due } = filter;
  return (
    (status === undefined || entry.status === status) &&
    (assignee === undefined || entry.assignee === assignee) &&
    (contentType === undefined || entry.contentType === contentType) &&
    (tag === undefined || (tag === '' ? entry.tags.length === 0 : entry.tags.includes(tag))) &&
    (due === undefined || dueOf(entry, month) === due)
  );
}
