import { guard, type SessionState } from '@kc/rules/access';
import { type PathAccess, paths } from '@kc/rules/paths';
import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { homeOf, sessionQuery, stateOf } from './session.ts';

const nobody: SessionState = { isAuthenticated: false, status: undefined, isAdmin: false };

/**
 * Lets somebody in, or sends them where they belong. Nothing is drawn before the answer.
 *
 * When the server cannot be asked, only the paths that show nothing of a person's open.
 *
 * @throws a redirect; the fault of a failed session call
 */
export async function enforce(access: PathAccess, queries: QueryClient): Promise<void> {
  const asking = queries.ensureQueryData(sessionQuery);
  const state =
    access === 'approved' || access === 'admin' ? stateOf(await asking) : await asking.then(stateOf, () => nobody);
  const elsewhere = guard(access, state);
  if (elsewhere) throw redirect({ to: elsewhere, replace: true });
}

/** Sends a visitor of `/` to where they belong. */
export async function sendHome(queries: QueryClient): Promise<never> {
  const home = await queries.ensureQueryData(sessionQuery).then(homeOf, () => paths.login);
  throw redirect({ to: home, replace: true });
}
