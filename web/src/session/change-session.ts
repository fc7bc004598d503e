import type { BegunSession, Session } from '@kc/rules/shapes';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { keepApproval } from './approval-cache.ts';
import { cleanDuplicatesSoon } from './clean-duplicates.ts';
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
