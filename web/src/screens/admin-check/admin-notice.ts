import { say } from '@kc/rules/messages';
import type { Session } from '@kc/rules/shapes';

export type Notice = {
  readonly id: number;
  readonly tone: 'error' | 'success' | 'warning';
  readonly text: string;
  /** Absent: it vanishes after a while. */
  readonly stays?: true;
};

/** What the check says about somebody signed in. Source: spec §8 "Dashboard and pages". */
export function adminNoticeOf(session: Session): Omit<Notice, 'id'> {
  if (session.isAdmin) return { tone: 'success', text: say('admin-check/admin') };
  const { account } = session;
  if (!account?.inAdminList) return { tone: 'error', text: say('admin-check/unlisted') };
  // Until the email is proven the server refuses the fix: only the claim link helps, and its name has to stay readable.
  if (!account.emailProven) return { tone: 'warning', text: say('admin-check/unproven'), stays: true };
  return { tone: 'warning', text: say('admin-check/listed') };
}

/** What is said when the server did not update the status: again what is in the way where that is known. */
export function unfixed(session: Session): Omit<Notice, 'id'> {
  const standing = adminNoticeOf(session);
  return standing.stays ? standing : { tone: 'error', text: say('admin-check/not-fixed') };
}
