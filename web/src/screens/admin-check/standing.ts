import { say } from '@kc/rules/messages';
import type { Session } from '@kc/rules/shapes';

export type Notice = { readonly id: number; readonly tone: 'error' | 'success' | 'warning'; readonly text: string };

/** What the check says about somebody signed in. Source: spec §8 "Dashboard and pages". */
export function standingOf(session: Session): Omit<Notice, 'id'> {
  if (session.isAdmin) return { tone: 'success', text: say('admin-check/admin') };
  return session.account?.inAdminList
    ? { tone: 'warning', text: say('admin-check/listed') }
    : { tone: 'error', text: say('admin-check/unlisted') };
}
