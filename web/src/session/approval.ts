import type { SessionState } from '@kc/rules/access';
import { limits } from '@kc/rules/limits';
import type { Session } from '@kc/rules/shapes';

/** The rights that a screen uses to decide what to render. The server checks every right again. */
export type Approval = { readonly approved: boolean; readonly admin: boolean };

/** The stored record; `timestamp` is in milliseconds since 1970. */
type ApprovalRecord = Approval & { readonly timestamp: number };

/** The part of a browser's storage that the cache needs. */
export type ApprovalStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

export function approvalOf({ isAdmin, status }: Pick<Session, 'isAdmin' | 'status'>): Approval {
  return { approved: isAdmin || status === 'approved', admin: isAdmin };
}

const prefix = 'kc-approval-';

/** Stores the approval of this user and removes all others; removes every record on sign-out. */
export function rememberApproval(storage: ApprovalStorage, session: Session, now: number): void {
  for (const key of recordKeys(storage)) storage.removeItem(key);
  if (!session.account) return;
  const record: ApprovalRecord = { ...approvalOf(session), timestamp: now };
  storage.setItem(`${prefix}${session.account.id}`, JSON.stringify(record));
}

/**
 * An approval that is less than five minutes old; `undefined` if there is no record, if there are records of several
 * users, or if the record is too old, in the future or malformed.
 *
 * For painting only: users can write anything into their own storage.
 */
export function cachedApproval(storage: ApprovalStorage, now: number): Approval | undefined {
  const [key, another] = recordKeys(storage);
  if (key === undefined || another !== undefined) return undefined;
  const record = parseRecord(storage.getItem(key) ?? '');
  if (!record) return undefined;
  const age = now - record.timestamp;
  if (age < 0 || age >= limits.approvalCacheMs) return undefined;
  return { approved: record.approved, admin: record.admin };
}

const recordKeys = (storage: ApprovalStorage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((key) =>
    key.startsWith(prefix),
  );

function parseRecord(text: string): ApprovalRecord | undefined {
  let value: Partial<ApprovalRecord> | null;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { approved, admin, timestamp } = value;
  if (typeof approved !== 'boolean' || typeof admin !== 'boolean' || typeof timestamp !== 'number') return undefined;
  return { approved, admin, timestamp };
}

/** Where the session state can come from. */
type SessionSources = {
  /** The current session as the server reports it. */
  request(): Promise<SessionState>;
  cached(): Approval | undefined;
  /** A fresh check by the server. */
  check(): Promise<SessionState>;
};

/**
 * The session state: from the server, else from the cached approval, else from a fresh check by the server.
 *
 * @throws the fault of the last check; the caller must then assume neither approval nor administrator rights
 */
export async function sessionState(sources: SessionSources): Promise<SessionState> {
  try {
    return await sources.request();
  } catch {
    const cached = sources.cached();
    if (!cached) return sources.check();
    return { isAuthenticated: true, status: cached.approved ? 'approved' : undefined, isAdmin: cached.admin };
  }
}

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
export function recentApproval(): Approval | undefined {
  try {
    return cachedApproval(localStorage, Date.now());
  } catch {
    return undefined;
  }
}

/** The link that a user opened before signing in. It belongs to this tab and is lost with it. */
const returnPageKey = 'wanted-page';

/** @param href path and search of this site */
export const keepReturnPage = (href: string): void => sessionStorage.setItem(returnPageKey, href);

/** Where to go after sign-in: once to the link that was opened, if it leads into the user's landing page. */
export function takeReturnPage(home: string): string {
  const href = sessionStorage.getItem(returnPageKey);
  sessionStorage.removeItem(returnPageKey);
  return href?.startsWith(`${home}?`) ? href : home;
}
