import type { RefreshInterval } from '@kc/rules/settings';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createSharedEventStream, openServerStream, type ServerEvent } from '../session/event-stream.ts';
import { screenSettingsQuery, useScreenSettings } from '../session/screen-settings.ts';
import { useMe } from '../session/session.ts';
import { followThemeSetting } from './theme.ts';

/** Applies changes of the settings to open pages: the theme at once, the rest when screens refetch it. */
export function SettingsFollower() {
  const theme = useScreenSettings()?.theme;
  useEffect(() => {
    if (theme) followThemeSetting(theme);
  }, [theme]);
  useServerEvents(useMe()?.account?.id);
  return null;
}

/** The queries that each event invalidates. Queries that the page does not use are not refetched. */
const queriesOf: Readonly<Record<ServerEvent, readonly string[]>> = {
  session: ['session'],
  accounts: ['users'],
  settings: ['settings'],
  visualizations: ['visualizations'],
  drafts: ['drafts'],
  plans: ['plans'],
  missed: ['session', 'users', 'settings', 'visualizations', 'drafts', 'plans'],
  joined: ['session', 'users', 'settings', 'visualizations', 'drafts', 'plans'],
};

/** Whether to refetch now. With the refresh interval `none`, new visualizations load only when the user asks. */
function refetchTypeOf(part: string, interval: RefreshInterval | undefined): 'active' | 'none' {
  return part === 'visualizations' && interval === 'none' ? 'none' : 'active';
}

/**
 * Waits for requests in progress. On a page that has just subscribed to events these are its first ones. Their
 * responses may be older than the stream, so they are refetched, but aborting them would delay the page.
 */
async function settled(queries: QueryClient, part: string): Promise<void> {
  const inProgress = queries.getQueryCache().findAll({ queryKey: [part], fetchStatus: 'fetching' });
  await Promise.allSettled(inProgress.map(({ promise }) => promise));
}

/** Refetches what the server reports as changed, in all tabs of the user. */
function useServerEvents(accountId: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (accountId === undefined) return;
    const isVisible = () => document.visibilityState === 'visible';
    const onEvent = (event: ServerEvent) => {
      const interval = queries.getQueryData(screenSettingsQuery.queryKey)?.dataRefreshInterval;
      const refetches = queriesOf[event].map(async (part) => {
        if (event === 'joined') await settled(queries, part);
        await queries.invalidateQueries({ queryKey: [part], refetchType: refetchTypeOf(part, interval) });
      });
      return Promise.all(refetches);
    };
    const open = () =>
      createSharedEventStream({
        name: `events of ${accountId}`,
        onEvent,
        openStream: openServerStream,
        // Not available over plain HTTP.
        locks: navigator.locks as LockManager | undefined,
        isVisible: isVisible(),
      });
    let stream = open();
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener('visibilitychange', () => stream.setVisible(isVisible()), { signal });
    // A page in the back/forward cache must not keep a connection: browsers allow six per server.
    addEventListener('pagehide', () => stream.close(), { signal });
    addEventListener(
      'pageshow',
      ({ persisted }) => {
        if (!persisted) return;
        stream = open();
        void onEvent('missed');
      },
      { signal },
    );
    return () => {
      stop.abort();
      stream.close();
    };
  }, [accountId, queries]);
}
