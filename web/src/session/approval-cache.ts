import type { Session } from '@kc/rules/shapes';
import { type Approval, cachedApproval, rememberApproval } from './approval.ts';

/** Keeps what the server just said, for painting while it cannot be asked. */
export function keepApproval(session: Session): Session {
  try {
    rememberApproval(localStorage, session, Date.now());
  } catch {
    // A browser that keeps nothing loses the cache and nothing else.
  }
  return session;
}

/** What the server said not long ago. */
export function keptApproval(): Approval | undefined {
  try {
    return cachedApproval(localStorage, Date.now());
  } catch {
    return undefined;
  }
}
