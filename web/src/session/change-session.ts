import { limits } from '@kc/rules/limits';
import type { BegunSession, Session } from '@kc/rules/shapes';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../api/client.ts';
import { keepApproval } from './approval.ts';
import { takeReturnPage } from './return-page.ts';
import { homeOf, sessionQuery } from './session.ts';
import { keepStepUp } from './step-up.ts';

/**
 * Takes a session the server just answered (sign-in, sign-out, claim) and goes where that person belongs, or on
 * to the link there that they had opened.
 *
 * The page they leave is left behind: "Back" does not lead to a sign-in page that sends them forth again.
 *
 * With it comes, or goes, the handle that proves a password given just now. What the one before has seen is forgotten
 * once their page is gone: a page still open would ask for it again.
 */
export function useChangeSession(): (session: Session | BegunSession) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (begun) => {
    const { stepUp, ...session }: BegunSession = begun;
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
