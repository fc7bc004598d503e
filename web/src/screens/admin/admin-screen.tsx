import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { type AdminTab, adminTabs, paths } from '@kc/rules/paths';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { ActivityTab } from './activity/activity-tab.tsx';
import { tabOf } from './admin-tabs.ts';
import { SettingsTab } from './settings/settings-tab.tsx';
import { Sidebar } from './sidebar.tsx';
import { TabBar } from './tab-bar.tsx';
import { TwinklingDots } from './twinkling-dots.tsx';
import { UploadTab } from './upload/upload-tab.tsx';
import { UsersTab } from './users/users-tab.tsx';

export function AdminScreen() {
  const { tab: parameter } = useSearch({ strict: false });
  const { userId } = useParams({ strict: false });
  const tab = tabOf(parameter, userId);
  const [problem, setProblem] = useState<string>();
  useReplacedTab(tab === undefined ? parameter : undefined, setProblem);
  const dismiss = useCallback(() => setProblem(undefined), []);

  return (
    <div className="flex min-w-0 flex-1">
      <Sidebar current={tab ?? adminTabs[0]} />
      <div className="relative min-w-0 flex-1 px-4 pt-6 pb-24 md:px-6 md:pb-12 xl:px-8 short:pt-3">
        <TwinklingDots />
        <div className="relative mx-auto max-w-300">
          <h1 className="text-h1">Admin Dashboard</h1>
          {problem && (
            <div className="mt-4">
              <Banner key={problem} tone="error" lifeMs={limits.bannerMs} onDismiss={dismiss}>
                {problem}
              </Banner>
            </div>
          )}
          <div key={tab} className="motion mt-4 transition-opacity duration-300 starting:opacity-0 short:mt-2">
            <Tab tab={tab ?? adminTabs[0]} userId={userId} onProblem={setProblem} />
          </div>
        </div>
      </div>
      <TabBar current={tab ?? adminTabs[0]} />
    </div>
  );
}

type TabProps = {
  readonly tab: AdminTab;
  readonly userId: string | undefined;
  readonly onProblem: (problem: string) => void;
};

function Tab({ tab, userId, onProblem }: TabProps) {
  switch (tab) {
    case 'users':
      return <UsersTab />;
    case 'upload':
      return <UploadTab userId={userId} onProblem={onProblem} />;
    case 'settings':
      return <SettingsTab />;
    case 'activity':
      return <ActivityTab />;
  }
}

/** Says that an address names no tab, and puts the first one's address in its place. */
function useReplacedTab(invalid: string | undefined, onProblem: (problem: string) => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (invalid === undefined) return;
    onProblem(say('admin/invalid-tab', { tab: invalid }));
    void navigate({ to: paths.admin, search: { tab: adminTabs[0] }, replace: true });
  }, [invalid, navigate, onProblem]);
}
