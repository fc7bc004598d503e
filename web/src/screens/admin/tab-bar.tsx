import { type AdminTab, adminTabs } from '@kc/rules/paths';
import { Badge } from '../../ui/badge.tsx';
import { tabWords } from './admin-tabs.ts';
import { TabLink } from './tab-link.tsx';
import { useTabBadges } from './use-tab-badges.ts';

/** The dashboard's tabs at the foot of a phone. */
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
