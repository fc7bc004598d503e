import { type AdminTab, adminTabs, paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { isUnderWay, useTransfers } from '../../api/transfers.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { tabWords } from './admin-tabs.tsx';
import { pendingCount } from './users/user-lists.ts';
import { useAccounts } from './users/users-queries.ts';

const storageKey = 'sidebar';
const wide = '(width >= 75rem)';

/** The dashboard's tabs as a sidebar, by group. Collapsed to icons on tablets, or when the user collapsed it. */
export function Sidebar({ current }: { readonly current: AdminTab }) {
  const [folded, setFolded] = useState(
    () => (localStorage.getItem(storageKey) ?? (matchMedia(wide).matches ? 'open' : 'folded')) === 'folded',
  );
  const badges = useTabBadges();
  const toggle = () => {
    setFolded(!folded);
    localStorage.setItem(storageKey, folded ? 'open' : 'folded');
  };
  const Fold = folded ? PanelLeftOpen : PanelLeftClose;
  return (
    <nav
      aria-label="Dashboard"
      className={classNames(
        'sticky top-(--header) hidden h-[calc(100dvh-var(--header))] shrink-0 flex-col overflow-y-auto border-line border-r bg-surface p-3 md:flex',
        folded ? 'w-16' : 'w-62',
      )}
    >
      {adminTabs.map((tab, index) => {
        const { group, label, description, icon: Icon } = tabWords[tab];
        return (
          <div key={tab} className="mb-2">
            {!folded && beginsGroup(index) && (
              <p className="px-3 pt-2 pb-1 font-medium text-micro text-muted">{group}</p>
            )}
            <TabLink
              tab={tab}
              current={current}
              {...(folded ? { title: label } : {})}
              className={classNames(
                'relative flex gap-3 rounded-control text-ink no-underline motion transition duration-[80ms] hover:bg-sunken aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand-ink',
                folded ? 'size-10 items-center justify-center' : 'items-start px-3 py-2.5',
              )}
            >
              <Icon size={18} strokeWidth={1.75} className={classNames('shrink-0', !folded && 'mt-0.5')} aria-hidden />
              {folded ? (
                <span className="sr-only">{label}</span>
              ) : (
                <span className="min-w-0 flex-1">
                  <span className="flex items-center justify-between gap-2 font-medium text-body leading-5">
                    {label}
                    {badges[tab] > 0 && <Badge tone="warn">{badges[tab]}</Badge>}
                  </span>
                  <span className="mt-0.5 block text-micro text-muted">{description}</span>
                </span>
              )}
            </TabLink>
          </div>
        );
      })}
      <div className={classNames('mt-auto flex', folded ? 'justify-center' : 'justify-end')}>
        <IconButton label={folded ? 'Expand sidebar' : 'Collapse sidebar'} onClick={toggle} aria-expanded={!folded}>
          <Fold size={18} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </div>
    </nav>
  );
}

/** Whether the tab is the first of its group, and so carries the group's caption. */
const beginsGroup = (index: number): boolean =>
  tabWords[adminTabs[index]!].group !== (index > 0 ? tabWords[adminTabs[index - 1]!].group : undefined);

/** The dashboard's tabs as a bar at the bottom of a phone. */
export function TabBar({ current }: { readonly current: AdminTab }) {
  const badges = useTabBadges();
  return (
    <nav
      aria-label="Dashboard"
      className="fixed inset-x-0 bottom-0 z-30 flex border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {adminTabs.map((tab) => {
        const { label, icon: Icon } = tabWords[tab];
        return (
          <TabLink
            key={tab}
            tab={tab}
            current={current}
            className="flex h-14 flex-1 flex-col items-center justify-center gap-0.5 font-medium text-micro text-muted no-underline aria-[current=page]:text-brand-ink"
          >
            <span className="relative">
              <Icon size={20} strokeWidth={1.75} aria-hidden />
              {badges[tab] > 0 && (
                <span className="absolute -top-2 left-3">
                  <Badge tone="warn">{badges[tab]}</Badge>
                </span>
              )}
            </span>
            {label}
          </TabLink>
        );
      })}
    </nav>
  );
}

type TabLinkProps = {
  readonly tab: AdminTab;
  readonly current: AdminTab;
  readonly className: string;
  readonly children: ReactNode;
  readonly title?: string;
};

/** A link to a dashboard tab, marked as the current page when that tab is open. */
function TabLink({ tab, current, className, children, title }: TabLinkProps) {
  return (
    <Link
      to={paths.admin}
      search={{ tab }}
      className={className}
      {...(title ? { title } : {})}
      // The router compares whole addresses, but /admin/upload/{userId} is also the Upload tab.
      activeProps={{}}
      aria-current={tab === current ? 'page' : undefined}
    >
      {children}
    </Link>
  );
}

/** Badge counts of the tabs: accounts that await approval, and running uploads. */
function useTabBadges(): Readonly<Record<AdminTab, number>> {
  const { accounts: users = [] } = useAccounts();
  const running = useTransfers(({ upload }) => upload !== undefined && isUnderWay(upload));
  return { users: pendingCount(users), upload: running ? 1 : 0, settings: 0, activity: 0 };
}
