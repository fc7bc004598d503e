import { landingPath } from '@kc/rules/access';
import { limits } from '@kc/rules/limits';
import type { ScreenSettings } from '@kc/rules/settings';
import type { Session } from '@kc/rules/shapes';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { type Approval, approvalOf, keepApproval, recentApproval } from './approval.ts';

/** The session as the server sees it. Fresh for five minutes; any refusal about the session invalidates it. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session> => keepApproval(await client.session.get(undefined, { signal })),
  staleTime: limits.approvalCacheMs,
});

/** The session of this browser; `undefined` until loaded. */
export function useMe(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** The approval to paint by: from the server, else from the cache, else none. */
export function useApproval(): Approval {
  const me = useMe();
  return me ? approvalOf(me) : (recentApproval() ?? { approved: false, admin: false });
}

/** The user's landing page: from the server, else by the rule. */
export function homeOf(session: Session): string {
  return session.redirectPath ?? landingPath(session);
}

export const screenSettingsQuery = queryOptions({
  queryKey: ['settings', 'screen'],
  queryFn: ({ signal }): Promise<ScreenSettings> => client.settings.screen(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The settings that administrators make for every screen, kept up to date; `undefined` until loaded. */
export function useScreenSettings(): ScreenSettings | undefined {
  const me = useMe();
  const approved = me?.isAdmin || me?.status === 'approved';
  return useQuery({ ...screenSettingsQuery, enabled: approved === true }).data;
}
