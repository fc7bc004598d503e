import { Tabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { LazyBoundary, lazyPart } from '../../ui/lazy-boundary.tsx';
import type { Panel } from '../model/url-state.ts';
import { Detail } from './detail/detail.tsx';
import { useExplorer, useLook } from './explorer-context.ts';
import { PlanCount } from './plan/plan-elsewhere.tsx';
import { badgeCount, useWarningSummary } from './warnings/use-warnings.tsx';

const PlanPanel = lazyPart(async () => (await import('./plan/plan-panel.tsx')).PlanPanel);
const GuestPlan = lazyPart(async () => (await import('./plan/guest-plan.tsx')).GuestPlan);
const ChangesPanel = lazyPart(async () => (await import('./changes/changes-panel.tsx')).ChangesPanel);
const WarningsPanel = lazyPart(async () => (await import('./warnings/warnings-panel.tsx')).WarningsPanel);

/** `count`: a number beside the label. */
type PanelTab = { readonly id: Panel; readonly label: string; readonly count?: number | undefined };

const details: PanelTab = { id: 'details', label: 'Details' };
const plan: PanelTab = { id: 'plan', label: 'Plan' };
const changes: PanelTab = { id: 'changes', label: 'Changes' };

/** The tabs of the right panel that exist now. */
export function usePanelTabs(): readonly PanelTab[] {
  const { hasPlan, hasWarnings } = useExplorer();
  const isCompared = useLook((state) => state.vs !== undefined);
  const { data } = useWarningSummary();
  const warnings: PanelTab = { id: 'warnings', label: 'Warnings', count: data && badgeCount(data) };
  return [details, ...(hasPlan ? [plan] : []), ...(hasWarnings ? [warnings] : []), ...(isCompared ? [changes] : [])];
}

/** The tab that is shown: the chosen one if it exists. */
export function useShownPanel(): Panel {
  const chosen = useLook((state) => state.panel);
  return usePanelTabs().some(({ id }) => id === chosen) ? chosen : 'details';
}

export function PanelContent({ panel }: { panel: Panel }) {
  const { guest } = useExplorer();
  return (
    // Each panel has its own: where one failed, the others are still shown.
    <LazyBoundary key={panel}>
      {panel === 'details' ? (
        <Detail />
      ) : panel === 'plan' ? (
        guest ? (
          <GuestPlan />
        ) : (
          <PlanPanel />
        )
      ) : panel === 'warnings' ? (
        <WarningsPanel />
      ) : (
        <ChangesPanel />
      )}
    </LazyBoundary>
  );
}

/** The ID of the element that shows the tab. */
export const panelId = 'right-panel';

type TabsProps = { readonly tabs: readonly PanelTab[]; readonly children: ReactNode };

/** The row of tabs above the right panel. Arrow keys move between them. */
export function PanelTabs({ tabs, children }: TabsProps) {
  const { store, guest } = useExplorer();
  const shown = useShownPanel();
  // Four tabs fit the panel's width only if they are close together.
  const isFull = tabs.length > 3;
  return (
    <div className="flex h-10 shrink-0 items-center justify-between border-b border-line pr-1 pl-2">
      <Tabs.Root value={shown} onValueChange={(panel: Panel) => store.setState({ panel })} className="min-w-0">
        <Tabs.List
          aria-label="Right panel"
          activateOnFocus
          className={classNames(
            '-ml-1 flex min-w-0 overflow-x-auto p-1 [scrollbar-width:none]',
            isFull ? 'gap-0.5 [&_span]:min-w-0 [&_span]:px-1.5' : 'gap-1',
          )}
        >
          {tabs.map(({ id, label, count }) => (
            <Tabs.Tab
              key={id}
              value={id}
              aria-controls={panelId}
              className={classNames(
                'inline-flex h-8 shrink-0 items-center gap-1.5 rounded-full text-small font-medium text-muted hover:text-ink aria-selected:bg-brand-soft aria-selected:text-brand-ink touch:h-11',
                isFull ? 'px-1.5' : 'px-2.5',
              )}
            >
              {label}
              {id === 'plan' && !guest && <PlanCount />}
              {count !== undefined && <Badge className="min-w-7">{count > 999 ? '999+' : count}</Badge>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs.Root>
      {children}
    </div>
  );
}
