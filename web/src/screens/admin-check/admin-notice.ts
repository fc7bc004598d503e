import { say } from '@kc/rules/messages';
import type { Session } from '@kc/rules/shapes';

export type Notice = {
  readonly id: number;
  readonly tone: 'error' | 'success' | 'warning';
  readonly text: string;
  /** If absent, it disappears after a while. */
  readonly stays?: true;
};

/** The result of the check for the signed-in user. */
export function adminNoticeOf(session: Session): Omit<Notice, 'id'> {
  if (session.isAdmin) return { tone: 'success', text: say('admin-check/admin') };
  const { account } = session;
  if (!account?.inAdminList) return { tone: 'error', text: say('admin-check/unlisted') };
  // Until the email is proven, the server refuses the fix: only the claim link helps, so its name stays visible.
  if (!account.emailProven) return { tone: 'warning', text: say('admin-check/unproven'), stays: true };
  return { tone: 'warning', text: say('admin-check/listed') };
}

/** The message if the server did not update the status: the reason, if known. */
export function unfixed(session: Session): Omit<Notice, 'id'> {
  const current = adminNoticeOf(session);
  return current.stays ? current : { tone: 'error', text: say('admin-check/not-fixed') };
}
