import { limits } from '@kc/rules/limits';
import type { Session } from '@kc/rules/shapes';
import type { QueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { sessionQuery } from './session.ts';

/**
 * Five seconds after a built-in admin signed in, has the server clean up accounts that share an email; not when they
 * left meanwhile.
 *
 * Source: spec §4 "Client approval state", §9.
 */
export function cleanDuplicatesSoon(session: Session, queries: QueryClient): void {
  const { isAdmin, account } = session;
  if (!isAdmin || !account?.inAdminList) return;
  setTimeout(() => {
    if (queries.getQueryData(sessionQuery.queryKey)?.account?.id !== account.id) return;
    // Nobody waits for it: the server's log tells what went wrong, and the next sign-in tries again.
    client.accounts.cleanDuplicates().catch(() => undefined);
  }, limits.duplicateCleanupMs);
}
