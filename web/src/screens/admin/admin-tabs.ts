import { type AdminTab, adminTabs } from '@kc/rules/paths';
import type { Refusal } from '@kc/rules/result';
import { History, type LucideIcon, Settings, Upload, Users } from 'lucide-react';

export type TabWords = {
  readonly group: string;
  readonly label: string;
  readonly description: string;
  readonly icon: LucideIcon;
};

/** The dashboard's tabs as they are named, in their groups. Source: spec §2 "Admin Dashboard"; Activity is ours. */
export const tabWords: Readonly<Record<AdminTab, TabWords>> = {
  users: { group: 'Management', label: 'Users', description: 'Manage user accounts and role permissions', icon: Users },
  upload: { group: 'Data', label: 'Upload', description: 'Upload and manage visualization data files', icon: Upload },
  settings: {
    group: 'System',
    label: 'Settings',
    description: 'Configure system options and preferences',
    icon: Settings,
  },
  activity: { group: 'System', label: 'Activity', description: 'See what was done, by whom and when', icon: History },
};

/**
 * The tab an address names: its parameter, else Upload when it names a user, else the first. `undefined` when the
 * parameter names none.
 */
export function tabOf(parameter: string | undefined, userId: string | undefined): AdminTab | undefined {
  if (parameter === undefined) return userId === undefined ? adminTabs[0] : 'upload';
  return adminTabs.find((tab) => tab === parameter);
}

/** What stands for bytes of an address that are no UTF-8. */
const undecodable = '\ufffd';

/**
 * What is wrong with an address of the dashboard: a part that spells no text, or a tab that is none. `undefined` for a
 * good one, whoever it names.
 */
export function addressProblem(parameter: string | undefined, userId: string | undefined): Refusal | undefined {
  if ([parameter, userId].some((part) => part?.includes(undecodable))) return { code: 'admin/parameters-unreadable' };
  return tabOf(parameter, userId) === undefined
    ? { code: 'admin/invalid-tab', params: { tab: parameter ?? '' } }
    : undefined;
}
