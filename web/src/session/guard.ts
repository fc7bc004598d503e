import { guard, type SessionState } from '@kc/rules/access';
import { type PathAccess, paths } from '@kc/rules/paths';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { keepReturnPage, recentApproval, sessionState } from './approval.ts';
import { homeOf, sessionQuery } from './session.ts';

const showsData: ReadonlySet<PathAccess> = new Set(['approved', 'approved-or-nobody', 'admin']);
const signedOut: SessionState = { isAuthenticated: false, status: undefined, isAdmin: false };

/**
 * Allows a visit or redirects it. Nothing is drawn before the decision.
 *
 * If the server is unreachable, an approval from the last five minutes is enough to paint the page; data still comes
 * only from the server. Without one, only paths that show no personal data open.
 *
 * @param href the requested path and search; users who must sign in first return there afterwards
 * @throws a redirect, or the fault of a failed session call
 */
export async function enforce(access: PathAccess, queries: QueryClient, href: string): Promise<void> {
  const pending = sessionState({
    request: () => queries.ensureQueryData(sessionQuery),
    cached: recentApproval,
    check: () => queries.fetchQuery(sessionQuery),
  });
  const state = showsData.has(access) ? await pending : await pending.catch(() => signedOut);
  const elsewhere = guard(access, state);
  if (elsewhere === paths.login) keepReturnPage(href);
  if (elsewhere) throw redirect({ to: elsewhere, replace: true });
}

/** Redirects a visitor of `/` to their landing page. */
export async function sendHome(queries: QueryClient): Promise<never> {
  const home = await queries.ensureQueryData(sessionQuery).then(homeOf, () => paths.login);
  throw redirect({ to: home, replace: true });
}
