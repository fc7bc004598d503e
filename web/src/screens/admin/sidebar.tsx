import { type AdminTab, adminTabs } from '@kc/rules/paths';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { tabWords } from './admin-tabs.ts';
import { TabLink } from './tab-link.tsx';
import { useTabBadges } from './use-tab-badges.ts';

const storageKey = 'sidebar';
const wide = '(width >= 75rem)';

/** The dashboard's tabs by group, at the side. Folded to icons on tablets, or when the person folded it. */
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
        'sticky top-14 hidden h-[calc(100dvh-3.5rem)] shrink-0 flex-col overflow-y-auto border-line border-r bg-surface p-3 md:flex',
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

/** Whether the tab is the first of its group: the caption stands once. */
const beginsGroup = (index: number): boolean =>
  tabWords[adminTabs[index]!].group !== (index > 0 ? tabWords[adminTabs[index - 1]!].group : undefined);
