import type { RefreshInterval } from '@kc/rules/settings';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
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
  joined: ['session', 'users', 'settings', 'visualizations'],
};

/** Who wants to look for newer data by hand only is not shown what comes in meanwhile, but when they look. */
function refetchTypeOf(part: string, interval: RefreshInterval | undefined): 'active' | 'none' {
  return part === 'visualizations' && interval === 'none' ? 'none' : 'active';
}

/**
 * Waits for what is on its way. On a page that has just begun to listen that is its first answer: it may be older than the
 * stream, so it is asked for again, but aborting it would delay the page.
 */
async function settled(queries: QueryClient, part: string): Promise<void> {
  const underWay = queries.getQueryCache().findAll({ queryKey: [part], fetchStatus: 'fetching' });
  await Promise.allSettled(underWay.map(({ promise }) => promise));
}

/** Asks anew for what the server says has changed, in every tab of the person at once. */
function useServerEvents(accountId: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (accountId === undefined) return;
    const isVisible = () => document.visibilityState === 'visible';
    const tell = (event: ServerEvent) => {
      const interval = queries.getQueryData(screenSettingsQuery.queryKey)?.dataRefreshInterval;
      const asked = about[event].map(async (part) => {
        if (event === 'joined') await settled(queries, part);
        await queries.invalidateQueries({ queryKey: [part], refetchType: refetchTypeOf(part, interval) });
      });
      return Promise.all(asked);
    };
    const open = () =>
      createSharedEventStream({
        name: `events of ${accountId}`,
        tell,
        openStream: openServerStream,
        // Where the page comes over plain http there are none.
        locks: navigator.locks as LockManager | undefined,
        isVisible: isVisible(),
      });
    let stream = open();
    const leaving = new AbortController();
    const { signal } = leaving;
    document.addEventListener('visibilitychange', () => stream.seen(isVisible()), { signal });
    // A page in the back/forward cache must not keep a connection: browsers allow six per server.
    addEventListener('pagehide', () => stream.close(), { signal });
    addEventListener(
      'pageshow',
      ({ persisted }) => {
        if (!persisted) return;
        stream = open();
        void tell('missed');
      },
      { signal },
    );
    return () => {
      leaving.abort();
      stream.close();
    };
  }, [accountId, queries]);
}
