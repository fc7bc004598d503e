import { toRefusal } from '@kc/rules/result';
import type { RefreshInterval } from '@kc/rules/settings';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readTimes } from '../api/client.ts';
import type { ServerTime } from '../api/read-at.ts';
import {
  createSharedEventStream,
  type KnownChanges,
  openServerStream,
  type ServerEventName,
  serverEvents,
  type TimedEvent,
} from '../session/event-stream.ts';
import { screenSettingsQuery, useMe, useScreenSettings } from '../session/session.ts';
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
const partOf: Readonly<Record<ServerEventName, string>> = {
  session: 'session',
  accounts: 'users',
  settings: 'settings',
  visualizations: 'visualizations',
  drafts: 'drafts',
  plans: 'plans',
};

/** Whether to refetch now. With the refresh interval `none`, new visualizations load only when the user asks. */
function refetchTypeOf(part: string, interval: RefreshInterval | undefined): 'active' | 'none' {
  return part === 'visualizations' && interval === 'none' ? 'none' : 'active';
}

/**
 * Waits for requests in progress. On a page that has just subscribed to events these are its first ones. Their
 * responses may be older than the stream, but aborting them would delay the page.
 */
async function settled(queries: QueryClient, part: string): Promise<void> {
  const inProgress = queries.getQueryCache().findAll({ queryKey: [part], fetchStatus: 'fetching' });
  await Promise.allSettled(inProgress.map(({ promise }) => promise));
}

/** The queries of the page that could not be refetched after a change. */
const failed = (queries: QueryClient, part: string) =>
  queries
    .getQueryCache()
    .findAll({ queryKey: [part], type: 'active' })
    .filter(({ state }) => state.status === 'error');

/** Whether any of them may succeed once the server responds again. */
const failsForNow = (queries: QueryClient, part: string): boolean =>
  failed(queries, part).some(({ state }) => passing.has(toRefusal(state.error).code));
const passing: ReadonlySet<string> = new Set(['fault/offline', 'fault/unavailable']);
const retryMs = 10_000;

/**
 * Whether what a page shows of one kind is older than a change.
 *
 * @param followed the time up to which the page has followed all changes; undefined before its first stream
 * @param oldest the time of its oldest response, for a page that has followed none
 */
function isStale(
  event: ServerEventName,
  { server, changed }: KnownChanges,
  followed: ServerTime | undefined,
  oldest: ServerTime | undefined,
): boolean {
  const last = changed[event];
  // Who is online is in the list of accounts, and not announced.
  if (last === undefined || (event === 'accounts' && !followed)) return true;
  if (followed) return followed.server !== server || last > followed.at;
  return oldest?.server !== server || last >= oldest.at;
}

/** Refetches what the server reports as changed, in all tabs of the user. */
function useServerEvents(accountId: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (accountId === undefined) return;
    const isVisible = () => document.visibilityState === 'visible';
    let followed: ServerTime | undefined;
    const again = new Map<ServerEventName, ReturnType<typeof setTimeout>>();
    let isLeft = false;
    const refetch = async (event: ServerEventName) => {
      const interval = queries.getQueryData(screenSettingsQuery.queryKey)?.dataRefreshInterval;
      const part = partOf[event];
      await queries.invalidateQueries({ queryKey: [part], refetchType: refetchTypeOf(part, interval) });
      clearTimeout(again.get(event));
      // The stream is still open and will not report the change once more.
      if (!isLeft && failsForNow(queries, part))
        again.set(
          event,
          setTimeout(() => void refetch(event), retryMs),
        );
    };
    const onEvent = ({ event, at }: TimedEvent) => {
      if (followed && at !== undefined) followed = { ...followed, at };
      return event === 'missed' ? Promise.all(serverEvents.map(refetch)) : refetch(event);
    };
    const onOpen = (known: KnownChanges | undefined) => {
      const before = followed;
      followed = known;
      return Promise.all(
        serverEvents.map(async (event) => {
          if (!before) await settled(queries, partOf[event]);
          const isMissing = failed(queries, partOf[event]).length > 0;
          if (!known || isMissing || isStale(event, known, before, readTimes.oldest())) await refetch(event);
        }),
      );
    };
    const open = () =>
      createSharedEventStream({
        name: `changes of ${accountId}`,
        onEvent,
        onOpen,
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
        void onEvent({ event: 'missed' });
      },
      { signal },
    );
    return () => {
      isLeft = true;
      for (const timer of again.values()) clearTimeout(timer);
      stop.abort();
      stream.close();
    };
  }, [accountId, queries]);
}
