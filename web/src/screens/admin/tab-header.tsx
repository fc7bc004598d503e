import type { AdminTab } from '@kc/rules/paths';
import type { ReactNode } from 'react';
import { tabWords } from './admin-tabs.ts';

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
