import type { RefreshInterval } from '@kc/rules/settings';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createSharedEventStream, openServerStream, type ServerEvent } from '../session/event-stream.ts';
import { screenSettingsQuery, useScreenSettings } from '../session/screen-settings.ts';
import { useMe } from '../session/session.ts';
import { followThemeSetting } from './theme.ts';

/** Lets an open page follow what the admins set: the theme at once, the rest as the screens ask for it. */
export function SettingsFollower() {
  const theme = useScreenSettings()?.theme;
  useEffect(() => {
    if (theme) followThemeSetting(theme);
  }, [theme]);
  useServerEvents(useMe()?.account?.id);
  return null;
}

/** What a page shows of what an event is about. What it does not show is not asked for. */
const about: Readonly<Record<ServerEvent, readonly string[]>> = {
  session: ['session'],
  accounts: ['users'],
  settings: ['settings'],
  visualizations: ['visualizations'],
  missed: ['session', 'users', 'settings', 'visualizations'],
};

/** Who wants to look for newer data by hand only is not shown what comes in meanwhile, but when they look. */
function refetchTypeOf(part: string, interval: RefreshInterval | undefined): 'active' | 'none' {
  return part === 'visualizations' && interval === 'none' ? 'none' : 'active';
}

/** Asks anew for what the server says has changed, in every tab of the person at once. */
function useServerEvents(accountId: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (accountId === undefined) return;
    const isVisible = () => document.visibilityState === 'visible';
    const line = createSharedEventStream({
      name: `events of ${accountId}`,
      tell(event) {
        const interval = queries.getQueryData(screenSettingsQuery.queryKey)?.dataRefreshInterval;
        const asked = about[event].map((part) =>
          queries.invalidateQueries({ queryKey: [part], refetchType: refetchTypeOf(part, interval) }),
        );
        return Promise.all(asked);
      },
      openStream: openServerStream,
      // Where the page comes over plain http there are none.
      locks: navigator.locks as LockManager | undefined,
      isVisible: isVisible(),
    });
    const onVisibility = () => line.seen(isVisible());
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      line.close();
    };
  }, [accountId, queries]);
}
