import { limits } from '@kc/rules/limits';
import type { Session } from '@kc/rules/shapes';
import type { QueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { sessionQuery } from './session.ts';

/**
 * Cleans up accounts that share an email, five seconds after a built-in admin signs in. Cancelled if they sign out
 * before.
 */
export function cleanDuplicatesSoon(session: Session, queries: QueryClient): void {
  const { isAdmin, account } = session;
  if (!isAdmin || !account?.inAdminList) return;
  setTimeout(() => {
    if (queries.getQueryData(sessionQuery.queryKey)?.account?.id !== account.id) return;
    // Fire and forget: the server logs failures, and the next sign-in retries.
    client.accounts.cleanDuplicates().catch(() => undefined);
  }, limits.duplicateCleanupMs);
}
