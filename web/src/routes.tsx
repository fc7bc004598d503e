import { googleDone, googleOutcome } from '@kc/rules/google';
import { type PathAccess, pathAccess, paths } from '@kc/rules/paths';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, type ParsedLocation } from '@tanstack/react-router';
import { LucideProvider } from 'lucide-react';
import { lazyScreen } from './frame/lazy-screen.ts';
import { ErrorScreen, RootFrame } from './frame/root-frame.tsx';
import { parseSearch, stringifySearch } from './frame/search-text.ts';
import { settleTheme } from './frame/theme.ts';
import { enforce, sendHome } from './session/guard.ts';

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
  interface StaticDataRouteOption {
    /** The page's name in the document title. */
    title?: string;
  }
}

type Context = { readonly queries: QueryClient };

const root = createRootRouteWithContext<Context>()({
  component: RootFrame,
  errorComponent: ErrorScreen,
  // A path with invalid percent-encoding matches no route, not even the catch-all.
  notFoundComponent: lazyScreen(() => import('./screens/not-found/not-found-screen.tsx'), 'NotFoundPage'),
});
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  loader: ({ context }) => settleTheme(context.queries),
  component: lazyScreen(() => import('./frame/shell.tsx'), 'Shell'),
});

const letIn =
  (access: PathAccess) =>
  ({ context, location }: { context: Context; location: { href: string } }) =>
    enforce(access, context.queries, location.href);

/** The routes. `rules/src/paths.ts` says who may open a path; this file says what it shows. */
const index = createRoute({
  getParentRoute: () => root,
  path: paths.index,
  beforeLoad: ({ context }) => sendHome(context.queries),
});
const login = createRoute({
  getParentRoute: () => root,
  path: paths.login,
  validateSearch: (search: Record<string, unknown>): { [googleOutcome]?: string } =>
    typeof search[googleOutcome] === 'string' ? { [googleOutcome]: search[googleOutcome] } : {},
  // A returning Google sign-in shows its result before the redirect.
  beforeLoad: ({ context, search, location }) =>
    search[googleOutcome] === googleDone ? undefined : enforce(pathAccess.login, context.queries, location.href),
  staticData: { title: 'Sign in' },
  component: lazyScreen(() => import('./screens/login/login-screen.tsx'), 'LoginScreen'),
});
const claim = createRoute({
  getParentRoute: () => root,
  path: paths.claim,
  staticData: { title: 'Set your password' },
  component: lazyScreen(() => import('./screens/claim/claim-screen.tsx'), 'ClaimScreen'),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: paths.resetPassword,
  staticData: { title: 'Set a new password' },
  component: lazyScreen(() => import('./screens/reset-password/reset-password-screen.tsx'), 'ResetPasswordScreen'),
});
const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: paths.verifyEmail,
  staticData: { title: 'Confirm your email' },
  component: lazyScreen(() => import('./screens/verify-email/verify-email-screen.tsx'), 'VerifyEmailScreen'),
});
const shared = createRoute({
  getParentRoute: () => root,
  path: paths.shared,
  staticData: { title: 'Shared visualization' },
  component: lazyScreen(() => import('./screens/link-page/link-screen.tsx'), 'LinkScreen'),
});
const visualization = createRoute({
  getParentRoute: () => shell,
  path: paths.visualization,
  beforeLoad: letIn(pathAccess.visualization),
  staticData: { title: 'My Visualizations' },
  component: lazyScreen(() => import('./screens/visualization/visualization-screen.tsx'), 'VisualizationScreen'),
});
const importList = createRoute({
  getParentRoute: () => shell,
  path: paths.import,
  beforeLoad: letIn(pathAccess.import),
  staticData: { title: 'Import a list' },
  component: lazyScreen(() => import('./screens/import/import-screen.tsx'), 'ImportScreen'),
});
const adminComponent = lazyScreen(() => import('./screens/admin/admin-screen.tsx'), 'AdminScreen');
type AdminParameters = { tab?: string; list?: string; sort?: string; q?: string };
/** The tab, and the state of the Users tab. The screen interprets the values. */
const adminParameters = ({ tab, list, sort, q }: Record<string, unknown>): AdminParameters =>
  Object.fromEntries(Object.entries({ tab, list, sort, q }).filter(([, value]) => typeof value === 'string'));
const admin = createRoute({
  getParentRoute: () => shell,
  path: paths.admin,
  beforeLoad: letIn(pathAccess.admin),
  validateSearch: adminParameters,
  staticData: { title: 'Admin Dashboard' },
  component: adminComponent,
});
const adminUpload = createRoute({
  getParentRoute: () => shell,
  path: paths.adminUpload,
  beforeLoad: letIn(pathAccess.adminUpload),
  validateSearch: adminParameters,
  staticData: { title: 'Admin Dashboard' },
  component: adminComponent,
});
const pending = createRoute({
  getParentRoute: () => shell,
  path: paths.pending,
  beforeLoad: letIn(pathAccess.pending),
  staticData: { title: 'Pending approval' },
  component: lazyScreen(() => import('./screens/pending/pending-screen.tsx'), 'PendingScreen'),
});
const denied = createRoute({
  getParentRoute: () => shell,
  path: paths.denied,
  beforeLoad: letIn(pathAccess.denied),
  staticData: { title: 'Access denied' },
  component: lazyScreen(() => import('./screens/denied/denied-screen.tsx'), 'DeniedScreen'),
});
const adminCheck = createRoute({
  getParentRoute: () => shell,
  path: paths.adminCheck,
  beforeLoad: letIn(pathAccess.adminCheck),
  staticData: { title: 'Admin status check' },
  component: lazyScreen(() => import('./screens/admin-check/admin-check-screen.tsx'), 'AdminCheckScreen'),
});
const test = createRoute({
  getParentRoute: () => shell,
  path: paths.test,
  staticData: { title: 'Test' },
  component: lazyScreen(() => import('./screens/test/test-screen.tsx'), 'TestScreen'),
});
const docs = createRoute({
  getParentRoute: () => shell,
  path: paths.docs,
  staticData: { title: 'HTTP API' },
  component: lazyScreen(() => import('./screens/docs/docs-screen.tsx'), 'DocsScreen'),
});
const notFound = createRoute({
  getParentRoute: () => shell,
  path: '$',
  staticData: { title: 'Page not found' },
  component: lazyScreen(() => import('./screens/not-found/not-found-screen.tsx'), 'NotFoundScreen'),
});

const routeTree = root.addChildren([
  index,
  login,
  claim,
  resetPassword,
  verifyEmail,
  shared,
  shell.addChildren([visualization, importList, admin, adminUpload, pending, denied, adminCheck, test, docs, notFound]),
]);

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    // Icons are drawn with this line unless they say otherwise.
    InnerWrap: ({ children }) => <LucideProvider strokeWidth={1.75}>{children}</LucideProvider>,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // Search parameters change while the user works in a screen. Only a navigation to another page fades.
    defaultViewTransition: { types: ({ fromLocation, pathChanged }) => (fromLocation && pathChanged ? [] : false) },
    scrollRestoration: whenPageChanges(),
  });
}

/**
 * Whether the page goes to its top, or to where it was before Back. What a person chooses on a screen is in its address, too:
 * while it changes, the page stays where it is.
 */
function whenPageChanges() {
  let shown = '';
  return ({ location: { pathname, hash, search } }: { location: ParsedLocation<Record<string, string>> }): boolean => {
    const before = shown;
    shown = [pathname, hash, search.v, search.draft, search.tab].join(' ');
    return shown !== before;
  };
}
