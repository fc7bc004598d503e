import type { SortColumn } from './user-lists.ts';

export type UserColumn = {
  readonly id: SortColumn | 'select' | 'actions';
  readonly title: string;
  readonly width: string;
};

const upTo: readonly UserColumn[] = [
  { id: 'select', title: 'Select', width: 'w-11' },
  { id: 'email', title: 'Email', width: '' },
  { id: 'status', title: 'Status', width: 'w-34' },
  { id: 'role', title: 'Role', width: 'w-40' },
  { id: 'created', title: 'Created', width: 'w-46 max-xl:w-30' },
];

/** The columns of a list; where people wait for a decision, its actions are the two answers. Source: experience §4.2. */
export function columnsOf(deciding: boolean): readonly UserColumn[] {
  return [...upTo, { id: 'actions', title: 'Actions', width: deciding ? 'w-66 max-xl:w-55' : 'w-55 max-xl:w-20' }];
}

/** The classes of the first and the last cell, which keep a distance to the table's edge. */
export const cellPadding = 'px-3 first:pr-0 first:pl-3 last:pr-3';
