import type { SessionState } from '@kc/rules/access';
import { landingPath } from '@kc/rules/access';
import { limits } from '@kc/rules/limits';
import type { Session } from '@kc/rules/shapes';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { type Approval, approvalOf } from './approval.ts';
import { keepApproval, keptApproval } from './approval-cache.ts';

/** Who is asking, as the server sees it now. Fresh for five minutes; any refusal about the session asks again. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session> => keepApproval(await client.session.get(undefined, { signal })),
  staleTime: limits.approvalCacheMs,
});

/** The session of this browser; `undefined` while it is not known yet. */
export function useMe(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** What to paint for who is here: the server's word, else what it said not long ago, else nothing. */
export function useApproval(): Approval {
  const me = useMe();
  return me ? approvalOf(me) : (keptApproval() ?? { approved: false, admin: false });
}

export function stateOf(session: Session): SessionState {
  return { isAuthenticated: session.isAuthenticated, status: session.status, isAdmin: session.isAdmin };
}

/** Where this person belongs: the server's word, else the rule's. Source: spec §2 "Index redirect". */
export function homeOf(session: Session): string {
  return session.redirectPath ?? landingPath(stateOf(session));
}
