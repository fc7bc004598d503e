import { limits } from '@kc/rules/limits';
import { sayRefusal } from '@kc/rules/messages';
import { adminTabs, paths } from '@kc/rules/paths';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Keyboard } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { addressProblem, tabOf } from './admin-tabs.ts';
import { Sidebar } from './sidebar.tsx';
import { TabBar } from './tab-bar.tsx';
import { TabContent } from './tab-content.tsx';
import { TwinklingDots } from './twinkling-dots.tsx';
import { useAdminKeys } from './use-admin-keys.ts';

// Most visits never ask for it: its script comes when it is opened first.
const AdminKeysHelp = lazy(async () => ({ default: (await import('./admin-keys-help.tsx')).AdminKeysHelp }));

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
              <Keyboard size={18} strokeWidth={1.75} aria-hidden />
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
            <TabContent tab={tab} userId={userId} onProblem={setProblem} />
          </div>
        </div>
      </div>
      <TabBar current={tab ?? adminTabs[0]} />
      <Suspense>{helpOpen !== undefined && <AdminKeysHelp open={helpOpen} onOpenChange={setHelpOpen} />}</Suspense>
    </div>
  );
}

/** Says what is wrong with an address, and puts the first tab's address in its place. */
function useReplacedAddress(wrong: string | undefined, onProblem: (problem: string) => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (wrong === undefined) return;
    onProblem(wrong);
    void navigate({ to: paths.admin, search: { tab: adminTabs[0] }, replace: true });
  }, [wrong, navigate, onProblem]);
}
