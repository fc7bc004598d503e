import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useScreenSettings } from '../session/screen-settings.ts';
import { sessionQuery, useMe } from '../session/session.ts';
import { followThemeSetting } from './theme.ts';

/** Lets an open page follow what the admins set: the theme at once, the rest as the screens ask for it. */
export function SettingsFollower() {
  const theme = useScreenSettings()?.theme;
  useEffect(() => {
    if (theme) followThemeSetting(theme);
  }, [theme]);
  const me = useMe();
  useServerEvents(me?.isAdmin === true || me?.status === 'approved');
  return null;
}

const tryAgainMs = 2_000;

/**
 * A stream of what changed on the server, while the page is looked at: a browser has few connections to one server, and
 * hidden tabs must not hold them all. What was missed meanwhile is asked for.
 *
 * A stream that the server ends says that the session may have ended with it, so that is asked first.
 */
function useServerEvents(wanted: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!wanted) return;
    let events: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askSession = () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    const askSettings = () => void queries.invalidateQueries({ queryKey: ['settings'] });
    const askUsers = () => void queries.invalidateQueries({ queryKey: ['users'] });
    const close = () => {
      clearTimeout(timer);
      events?.close();
      events = undefined;
    };
    const open = () => {
      events = new EventSource('/api/events');
      events.addEventListener('settings', askSettings);
      events.addEventListener('accounts', askUsers);
      events.addEventListener('session', () => void askSession());
      events.addEventListener('error', () => {
        close();
        timer = setTimeout(() => void askSession().then(follow), tryAgainMs);
      });
    };
    const follow = () => {
      const signedIn = queries.getQueryData(sessionQuery.queryKey)?.isAuthenticated;
      if (document.visibilityState === 'visible' && signedIn && !events) open();
    };
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') return close();
      askSettings();
      askUsers();
      follow();
    };
    follow();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      close();
    };
  }, [wanted, queries]);
}
