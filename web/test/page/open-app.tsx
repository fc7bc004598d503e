import { landingPath } from '@kc/rules/access';
import { paths } from '@kc/rules/paths';
import { defaultSettings } from '@kc/rules/settings';
import type { Session } from '@kc/rules/shapes';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { cleanup, render } from 'vitest-browser-react';
import { readTimes } from '../../src/api/client.ts';
import { makeQueryClient } from '../../src/api/query-client.ts';
import { startLoadingOverlay } from '../../src/frame/loading-overlay.ts';
import { makeRouter } from '../../src/routes.tsx';
import { sessionQuery } from '../../src/session/session.ts';
import { atRest } from './at-rest.ts';
import { fakeApi, type Handlers, neverAnswers } from './fake-api.ts';
import { forgetChanges } from './fake-times.ts';

export type Who = 'nobody' | 'pending' | 'denied' | 'approved' | 'admin';

/** A session as the server describes it. The account is `ann@example.com` unless the test says otherwise. */
export function sessionOf(who: Who, change: Partial<NonNullable<Session['account']>> = {}): Session {
  const server = { version: __PRODUCT_VERSION__, google: false, supportEmail: '' };
  if (who === 'nobody') {
    return { isAuthenticated: false, isAdmin: false, redirectPath: paths.login, shouldRedirect: true, server };
  }
  const state = {
    isAuthenticated: true,
    status: who === 'admin' ? 'approved' : who,
    isAdmin: who === 'admin',
  } as const;
  const redirectPath = landingPath(state);
  const account = {
    id: 'ann',
    email: 'ann@example.com',
    emailProven: true,
    displayName: '',
    createdAt: 0,
    inAdminList: false,
    ...change,
  };
  return { ...state, redirectPath, shouldRedirect: redirectPath !== paths.visualization, account, server };
}

/** A handler of a sign-in that succeeds: from then on the server reports the session. */
export const signsIn =
  (session: Session): (() => Session) =>
  () => {
    fakeApi({ 'session.get': () => session });
    return session;
  };

const { defaultDepth, autoExpand, dataRefreshInterval, userImports, clientLinks } = defaultSettings;
/** The settings that every screen gets, as they are at first. */
export const screenSettings = { defaultDepth, autoExpand, dataRefreshInterval, userImports, clientLinks };

type Opened = { readonly queries: QueryClient; readonly router: ReturnType<typeof makeRouter> };
let opened: Opened | undefined;

/**
 * Opens the application at a path, as `main.tsx` does, and waits until its first screen is drawn. Opening it again is a
 * reload: what the browser stored is still there.
 *
 * @param as whose session the server reports; a test that changes it fakes `session.get` itself
 */
export async function openApp(
  path: string,
  { as = 'nobody', api = {} }: { readonly as?: Who | Session; readonly api?: Handlers } = {},
): Promise<Opened> {
  const session = typeof as === 'string' ? sessionOf(as) : as;
  fakeApi({ 'session.get': () => session, 'settings.screen': () => screenSettings, ...api });
  await closeApp();
  readTimes.keepNewest();
  forgetChanges();
  // A reload is no step of the history.
  if (path !== address()) history.pushState(undefined, '', path);
  const queries = makeQueryClient(() => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }));
  const router = makeRouter(queries);
  const app = { queries, router };
  opened = app;
  startLoadingOverlay(router);
  const drawn = new Promise<void>((resolve) => router.subscribe('onRendered', () => resolve()));
  await render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await drawn;
  return app;
}

/** The page's path with search and hash, as in the address bar. */
export const address = (): string => `${location.pathname}${location.search}${location.hash}`;

/** Ends what {@link openApp} began. */
export async function closeApp(): Promise<void> {
  // What arrives later would call the API during the next test.
  await atRest();
  await cleanup();
  if (!opened) return;
  const { queries, router } = opened;
  // A guard whose question is cut off here would ask again, during the next test.
  queries.fetchQuery = neverAnswers;
  queries.clear();
  // Nor may a timer that is still running lead the next test to another page.
  router.navigate = neverAnswers;
  router.history.destroy();
  opened = undefined;
}
