import type { Session } from '@kc/rules/shapes';
import { type Approval, cachedApproval, rememberApproval } from './approval.ts';

/** Stores the server's last approval, for painting while the server is unreachable. */
export function keepApproval(session: Session): Session {
  try {
    rememberApproval(localStorage, session, Date.now());
  } catch {
    // Without storage, only the cache is lost.
  }
  return session;
}

/** The recent approval from the cache. */
export function keptApproval(): Approval | undefined {
  try {
    return cachedApproval(localStorage, Date.now());
  } catch {
    return undefined;
  }
}
