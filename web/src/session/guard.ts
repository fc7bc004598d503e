import { guard, type SessionState } from '@kc/rules/access';
import { type PathAccess, paths } from '@kc/rules/paths';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { knownState } from './approval.ts';
import { keptApproval } from './approval-cache.ts';
import { keepReturnPage } from './return-page.ts';
import { homeOf, sessionQuery, stateOf } from './session.ts';

const showsData: ReadonlySet<PathAccess> = new Set(['approved', 'approved-or-nobody', 'admin']);
const nobody: SessionState = { isAuthenticated: false, status: undefined, isAdmin: false };

/**
 * Lets somebody in, or sends them where they belong. Nothing is drawn before the answer.
 *
 * When the server cannot be asked, what it said in the last five minutes paints the page; its data come from the server
 * or not at all. Without that, only the paths that show nothing of a person's open.
 *
 * @param href path and search that were opened: who has to sign in first goes on there afterwards
 * @throws a redirect; the fault of a failed session call
 */
export async function enforce(access: PathAccess, queries: QueryClient, href: string): Promise<void> {
  const asked = knownState({
    ask: () => queries.ensureQueryData(sessionQuery).then(stateOf),
    cached: keptApproval,
    check: () => queries.fetchQuery(sessionQuery).then(stateOf),
  });
  const state = showsData.has(access) ? await asked : await asked.catch(() => nobody);
  const elsewhere = guard(access, state);
  if (elsewhere === paths.login) keepReturnPage(href);
  if (elsewhere) throw redirect({ to: elsewhere, replace: true });
}

/** Sends a visitor of `/` to where they belong. */
export async function sendHome(queries: QueryClient): Promise<never> {
  const home = await queries.ensureQueryData(sessionQuery).then(homeOf, () => paths.login);
  throw redirect({ to: home, replace: true });
}
