import { limits } from '@kc/rules/limits';
import type { NewSession, Session } from '@kc/rules/shapes';
import { type QueryClient, useIsMutating, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client, readTimes } from '../api/client.ts';
import { keepApproval, takeReturnPage } from './approval.ts';
import { homeOf, sessionQuery } from './session.ts';

/**
 * Adopts the session that the server just returned (sign-in, sign-out, claim) and goes to the user's landing page, or
 * to the link they had opened before signing in.
 *
 * The current page is replaced, so that "Back" does not return to a sign-in page that redirects again.
 *
 * Also stores or removes the step-up handle. The previous user's data is dropped from the cache only after their page
 * is gone, because an open page would fetch it again.
 */
export function useChangeSession(): (session: Session | NewSession) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (newSession) => {
    const { stepUp, ...session }: NewSession = newSession;
    readTimes.keepNewest();
    keepStepUp(stepUp);
    queries.setQueryData(sessionQuery.queryKey, keepApproval(session));
    cleanDuplicatesSoon(session, queries);
    await navigate({ href: takeReturnPage(homeOf(session)), replace: true });
    queries.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  };
}

/**
 * Cleans up accounts that share an email, five seconds after a built-in admin signs in. Cancelled if they sign out
 * before.
 */
function cleanDuplicatesSoon(session: Session, queries: QueryClient): void {
  const { isAdmin, account } = session;
  if (!isAdmin || !account?.inAdminList) return;
  setTimeout(() => {
    if (queries.getQueryData(sessionQuery.queryKey)?.account?.id !== account.id) return;
    // Fire and forget: the server logs failures, and the next sign-in retries.
    client.accounts.cleanDuplicates().catch(() => undefined);
  }, limits.duplicateCleanupMs);
}

const mutationKey = ['sign-out'];

/** Ends the session and goes to the sign-in page. */
export const useSignOut = () => useEnd(() => client.session.signOut());

/** Ends all sessions of the user on every device and goes to the sign-in page. */
export const useSignOutEverywhere = () => useEnd(() => client.session.signOutEverywhere());

function useEnd(end: () => Promise<Session>) {
  const changeSession = useChangeSession();
  return useMutation({ mutationKey, mutationFn: () => keepingDeviceChoices(end), onSuccess: changeSession });
}

/** Whether a sign-out is in progress. */
export const useIsSigningOut = (): boolean => useIsMutating({ mutationKey }) > 0;

/** Why the last sign-out failed, and when it started, in ms since 1970; `undefined` if none failed. */
export function useSignOutFailure(): { readonly error: unknown; readonly at: number } | undefined {
  const failures = useMutationState({
    filters: { mutationKey, status: 'error' },
    select: ({ state }) => ({ error: state.error, at: state.submittedAt }),
  });
  return failures.at(-1);
}

/** Keys of display preferences on this device. They contain no personal data, unlike brand terms, whose key names a map. */
const choices = /^(theme|sidebar|explorer(?!\.brand-terms))/;

/**
 * Sign-out clears all data of this site in the browser (`Clear-Site-Data`). This restores the device preferences
 * afterwards.
 */
async function keepingDeviceChoices<T>(clearing: () => Promise<T>): Promise<T> {
  const kept = Object.entries(localStorage).filter(([key]) => choices.test(key));
  const result = await clearing();
  for (const [key, value] of kept) localStorage.setItem(key, value);
  return result;
}

/**
 * The step-up handle, which shows that this session recently confirmed its password. It is never the password: the
 * server stores only its hash, for ten minutes and for this session.
 */
const stepUpKey = 'admin_temp_pass';

export const stepUpHandle = (): string | undefined => sessionStorage.getItem(stepUpKey) ?? undefined;

/** Stores a new handle; without one, removes the previous handle. */
export function keepStepUp(handle: string | undefined): void {
  if (handle === undefined) sessionStorage.removeItem(stepUpKey);
  else sessionStorage.setItem(stepUpKey, handle);
}
