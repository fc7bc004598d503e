import { limits } from '@kc/rules/limits';
import type { BegunSession, Session } from '@kc/rules/shapes';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client, readTimes } from '../api/client.ts';
import { keepApproval } from './approval.ts';
import { takeReturnPage } from './return-page.ts';
import { homeOf, sessionQuery } from './session.ts';
import { keepStepUp } from './step-up.ts';

/**
 * Adopts the session that the server just returned (sign-in, sign-out, claim) and goes to the user's landing page, or
 * to the link they had opened before signing in.
 *
 * The current page is replaced, so that "Back" does not return to a sign-in page that redirects again.
 *
 * Also stores or removes the step-up handle. The previous user's data is dropped from the cache only after their page
 * is gone, because an open page would fetch it again.
 */
export function useChangeSession(): (session: Session | BegunSession) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (begun) => {
    const { stepUp, ...session }: BegunSession = begun;
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
