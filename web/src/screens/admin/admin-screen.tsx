import { limits } from '@kc/rules/limits';
import { say, sayError, sayRefusal } from '@kc/rules/messages';
import { type AdminTab, adminTabs, paths } from '@kc/rules/paths';
import {
  CatchBoundary,
  type ErrorComponentProps,
  Link,
  useNavigate,
  useParams,
  useSearch,
} from '@tanstack/react-router';
import { Keyboard, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { type ReactNode, Suspense, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { tinykeys } from 'tinykeys';
import { isUnderWay, useTransfers } from '../../api/transfers.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner, BannerButton } from '../../ui/banner.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { isForOthers } from '../../ui/keys.ts';
import { lazyPart, useReload } from '../../ui/lazy-boundary.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { addressProblem, tabOf, tabWords } from './admin-tabs.tsx';
import { pendingCount } from './users/user-lists.ts';
import { useAccounts } from './users/users-queries.ts';

// Lazy: most visits never open it.
const AdminKeysHelp = lazyPart(async () => (await import('./admin-keys-help.tsx')).AdminKeysHelp);

export function AdminScreen() {
  const { tab: parameter } = useSearch({ strict: false });
  const { userId } = useParams({ strict: false });
  const wrong = addressProblem(parameter, userId);
  const tab = wrong ? undefined : tabOf(parameter, userId);
  const [problem, setProblem] = useState<string>();
  useReplacedAddress(wrong && sayRefusal(wrong), setProblem);
  const dismiss = useCallback(() => setProblem(undefined), []);
  const [helpOpen, setHelpOpen] = useState<boolean>();
  useAdminKeys(() => setHelpOpen(true));

  return (
    <div className="flex min-w-0 flex-1">
      <Sidebar current={tab ?? adminTabs[0]} />
      <div className="relative min-w-0 flex-1 px-4 pt-6 pb-24 md:px-6 md:pb-12 xl:px-8 short:pt-3">
        <TwinklingDots />
        <div className="relative mx-auto max-w-300">
          <div className="flex items-center justify-between gap-4">
            <h1 className="text-h1">Admin Dashboard</h1>
            <IconButton
              label="Keyboard shortcuts"
              size="dense"
              className="max-md:hidden"
              onClick={() => setHelpOpen(true)}
            >
              <Keyboard size={18} />
            </IconButton>
          </div>
          {problem && (
            <div className="mt-4">
              <Banner key={problem} tone="error" lifeMs={limits.bannerMs} onDismiss={dismiss}>
                {problem}
              </Banner>
            </div>
          )}
          <div key={tab} className="motion mt-4 transition-opacity duration-300 starting:opacity-0 short:mt-2">
            {/* The other tabs stay usable if one fails. */}
            <CatchBoundary getResetKey={() => tab ?? ''} errorComponent={TabFailed}>
              <Suspense fallback={<ComingTab />}>
                <TabContent tab={tab} userId={userId} onProblem={setProblem} />
              </Suspense>
            </CatchBoundary>
          </div>
        </div>
      </div>
      <TabBar current={tab ?? adminTabs[0]} />
      <Suspense>{helpOpen !== undefined && <AdminKeysHelp open={helpOpen} onOpenChange={setHelpOpen} />}</Suspense>
    </div>
  );
}

/** Reports an invalid address and replaces it with the first tab's address. */
function useReplacedAddress(wrong: string | undefined, onProblem: (problem: string) => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (wrong === undefined) return;
    onProblem(wrong);
    void navigate({ to: paths.admin, search: { tab: adminTabs[0] }, replace: true });
  }, [wrong, navigate, onProblem]);
}

const UsersTab = lazyPart(async () => (await import('./users/users-tab.tsx')).UsersTab);
const UploadTab = lazyPart(async () => (await import('./upload/upload-tab.tsx')).UploadTab);
const SettingsTab = lazyPart(async () => (await import('./settings/settings-tab.tsx')).SettingsTab);
const ActivityTab = lazyPart(async () => (await import('./activity/activity-tab.tsx')).ActivityTab);

type TabProps = {
  /** `undefined` while the address is invalid and about to be replaced. */
  readonly tab: AdminTab | undefined;
  /** The account named in the address. */
  readonly userId: string | undefined;
  readonly onProblem: (problem: string) => void;
};

function TabContent({ tab, userId, onProblem }: TabProps) {
  switch (tab) {
    case 'users':
      return <UsersTab />;
    case 'upload':
      return <UploadTab userId={userId} onProblem={onProblem} />;
    case 'settings':
      return <SettingsTab />;
    case 'activity':
      return <ActivityTab />;
    case undefined:
      return <Banner tone="error">{say('admin/invalid-tab-selected')}</Banner>;
  }
}

/** Shown when a tab's script failed to load or threw. Only a reload fetches it again. */
function TabFailed({ error }: ErrorComponentProps) {
  return (
    <Banner tone="error" actions={<BannerButton onClick={useReload()}>Try Again</BannerButton>}>
      {say('admin/tab-failed')}
      <span className="block text-small">{sayError(error)}</span>
    </Banner>
  );
}

/** Placeholder for the tab's title and content. */
function ComingTab() {
  return (
    <div aria-busy="true">
      <p role="status" className="sr-only">
        Loading
      </p>
      <Skeleton className="h-6 w-32" />
      <Skeleton className="mt-2 h-5 w-72 max-w-full" />
      <Skeleton className="mt-6 h-64 w-full" />
    </div>
  );
}

const tabOfKey: Readonly<Record<string, AdminTab>> = { u: 'users', p: 'upload', s: 'settings' };
/**
 * The dashboard's global keyboard shortcuts.
 *
 * They are handled in the capture phase, before the focused widget: after G, the next S opens Settings instead of a
 * row's status list.
 */
function useAdminKeys(onHelp: () => void): void {
  const navigate = useNavigate();
  const goTo = useEffectEvent((tab: AdminTab, parameters: { list?: string } = {}) => {
    void navigate({ to: paths.admin, search: { tab, ...parameters } });
  });
  const help = useEffectEvent(onHelp);
  useEffect(() => {
    const doing = (act: (key: string) => void) => (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      act(event.key.toLowerCase());
    };
    return tinykeys(
      window,
      {
        // One pattern for all sequences: with several patterns that share a prefix, tinykeys would swallow the next G.
        'g ([ups])': doing((key) => goTo(tabOfKey[key]!)),
        c: doing(() => goTo('users', { list: 'create' })),
        '[Shift]+/': doing(() => document.querySelector<HTMLElement>('main input[type=search]')?.focus()),
        '[Shift]+?': doing(() => help()),
      },
      { ignore: isForOthers, capture: true },
    );
  }, []);
}

type Dot = { readonly left: number; readonly top: number; readonly size: number; readonly delay: number };

/** Decorative twinkling dots beside the dashboard's title, as stars with four rays; hidden from assistive technology. */
function TwinklingDots() {
  const [dots] = useState(() => Array.from({ length: limits.dashboardDots }, anywhere));
  return (
    <div aria-hidden className="pointer-events-none absolute inset-x-0 top-0 h-20 overflow-hidden">
      {dots.map((dot) => (
        <span
          key={dot.left}
          className="motion absolute animate-[twinkle_3s_ease-in-out_infinite] bg-brand [clip-path:polygon(50%_0,58%_42%,100%_50%,58%_58%,50%_100%,42%_58%,0_50%,42%_42%)] dark:bg-star-gold"
          style={{
            left: `${dot.left}%`,
            top: `${dot.top}%`,
            width: dot.size,
            height: dot.size,
            animationDelay: `${dot.delay}s`,
          }}
        />
      ))}
    </div>
  );
}

const anywhere = (): Dot => ({
  // Between the title and the button at the end of its row.
  left: 60 + Math.random() * 30,
  top: 8 + Math.random() * 62,
  size: 8 + 6 * Math.random(),
  delay: -3 * Math.random(),
});

const foldedKey = 'sidebar';
const wide = '(width >= 75rem)';

/** The dashboard's tabs as a sidebar, by group. Collapsed to icons on tablets, or when the user collapsed it. */
function Sidebar({ current }: { readonly current: AdminTab }) {
  const [folded, setFolded] = useState(
    () => (localStorage.getItem(foldedKey) ?? (matchMedia(wide).matches ? 'open' : 'folded')) === 'folded',
  );
  const badges = useTabBadges();
  const toggle = () => {
    setFolded(!folded);
    localStorage.setItem(foldedKey, folded ? 'open' : 'folded');
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
              <Icon size={18} className={classNames('shrink-0', !folded && 'mt-0.5')} />
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
          <Fold size={18} />
        </IconButton>
      </div>
    </nav>
  );
}

/** Whether the tab is the first of its group, and so carries the group's caption. */
const beginsGroup = (index: number): boolean =>
  tabWords[adminTabs[index]!].group !== (index > 0 ? tabWords[adminTabs[index - 1]!].group : undefined);

/** The dashboard's tabs as a bar at the bottom of a phone. */
function TabBar({ current }: { readonly current: AdminTab }) {
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
              <Icon size={20} />
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
