import { type AdminTab, adminTabs } from '@kc/rules/paths';
import type { Refusal } from '@kc/rules/result';
import { History, type LucideIcon, Settings, Upload, Users } from 'lucide-react';
import type { ReactNode } from 'react';

type TabWords = {
  readonly group: string;
  readonly label: string;
  readonly description: string;
  readonly icon: LucideIcon;
};

/** Group, label, description and icon of each tab. */
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
 * The tab an address names: the one in its parameter, else Upload if it names a user, else the first tab. `undefined`
 * if the parameter names no tab.
 */
export function tabOf(parameter: string | undefined, userId: string | undefined): AdminTab | undefined {
  if (parameter === undefined) return userId === undefined ? adminTabs[0] : 'upload';
  return adminTabs.find((tab) => tab === parameter);
}

/** The replacement character that stands for bytes of an address that are not valid UTF-8. */
const undecodable = '\ufffd';

/**
 * What is wrong with a dashboard address: a part that is not valid UTF-8, or an unknown tab. `undefined` for a valid
 * one, even if the user it names does not exist.
 */
export function addressProblem(parameter: string | undefined, userId: string | undefined): Refusal | undefined {
  if ([parameter, userId].some((part) => part?.includes(undecodable))) return { code: 'admin/parameters-unreadable' };
  return tabOf(parameter, userId) === undefined
    ? { code: 'admin/invalid-tab', params: { tab: parameter ?? '' } }
    : undefined;
}

/** A tab's name and description, with its most frequent action. */
export function TabHeader({ tab, action }: { readonly tab: AdminTab; readonly action?: ReactNode }) {
  const { label, description } = tabWords[tab];
  return (
    <div className="mb-5 flex flex-col gap-3 sm:flex-row sm:items-end sm:justify-between short:mb-3 short:flex-row short:items-center short:justify-between">
      <div>
        <h2 className="text-h2">{label}</h2>
        <p className="text-body text-muted short:hidden">{description}</p>
      </div>
      {action}
    </div>
  );
}
