import { say, sayRefusal } from '@kc/rules/messages';
import type { AdminTab } from '@kc/rules/paths';
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { toRefusal } from '../../api/refusal.ts';
import { Banner, BannerButton } from '../../ui/banner.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const UsersTab = lazy(async () => ({ default: (await import('./users/users-tab.tsx')).UsersTab }));
const UploadTab = lazy(async () => ({ default: (await import('./upload/upload-tab.tsx')).UploadTab }));
const SettingsTab = lazy(async () => ({ default: (await import('./settings/settings-tab.tsx')).SettingsTab }));
const ActivityTab = lazy(async () => ({ default: (await import('./activity/activity-tab.tsx')).ActivityTab }));

type Props = {
  /** `undefined` while the address names none, until it is put right. */
  readonly tab: AdminTab | undefined;
  /** The account the address names. */
  readonly userId: string | undefined;
  readonly onProblem: (problem: string) => void;
};

/** What the dashboard shows of a tab; a tab that fails leaves the others in reach. */
export function TabContent({ tab, userId, onProblem }: Props) {
  return (
    <CatchBoundary getResetKey={() => tab ?? ''} errorComponent={TabFailed}>
      <Suspense fallback={<ComingTab />}>
        <Content tab={tab} userId={userId} onProblem={onProblem} />
      </Suspense>
    </CatchBoundary>
  );
}

function Content({ tab, userId, onProblem }: Props) {
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

/** A tab's script that did not arrive, or that broke: only a fresh page gets it again. */
function TabFailed({ error }: ErrorComponentProps) {
  return (
    <Banner tone="error" actions={<BannerButton onClick={() => location.reload()}>Try Again</BannerButton>}>
      {say('admin/tab-failed')}
      <span className="block text-small">{sayRefusal(toRefusal(error))}</span>
    </Banner>
  );
}

/** The place of the tab's title and content. */
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
