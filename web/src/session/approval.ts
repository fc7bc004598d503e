import type { SessionState } from '@kc/rules/access';
import { limits } from '@kc/rules/limits';
import type { Session } from '@kc/rules/shapes';

/** What a screen is painted by; every right is checked by the server again. */
export type Approval = { readonly approved: boolean; readonly admin: boolean };

/** Spec §3 "Cached approval record": `timestamp` in milliseconds since 1970. */
type ApprovalRecord = Approval & { readonly timestamp: number };

/** The part of a browser's storage that the cache needs. */
export type ApprovalStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

export function approvalOf({ isAdmin, status }: Pick<Session, 'isAdmin' | 'status'>): Approval {
  return { approved: isAdmin || status === 'approved', admin: isAdmin };
}

const prefix = 'kc-approval-';

/** Keeps what the server said of this person, and of nobody else; signed out, of nobody at all. */
export function rememberApproval(storage: ApprovalStorage, session: Session, now: number): void {
  for (const key of recordKeys(storage)) storage.removeItem(key);
  if (!session.account) return;
  const record: ApprovalRecord = { ...approvalOf(session), timestamp: now };
  storage.setItem(`${prefix}${session.account.id}`, JSON.stringify(record));
}

/**
 * What the server said less than five minutes ago; `undefined` without a record, when records of several people lie
 * there, or when it is too old, from the future or not of our making.
 *
 * For painting only: anybody can write whatever they like into their own storage.
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

/** How the state of who is here can be known. */
export type Ways = {
  /** The server's authenticated-user state. */
  ask(): Promise<SessionState>;
  cached(): Approval | undefined;
  /** The server's fresh checks. */
  check(): Promise<SessionState>;
};

/**
 * What is known of who is here: the server's word, else a cached approval, else the server's fresh checks.
 *
 * @throws the fault of the last check: whoever asks then knows of no approval and of no admin
 * Source: spec §4 "Client approval state".
 */
export async function knownState(ways: Ways): Promise<SessionState> {
  try {
    return await ways.ask();
  } catch {
    const cached = ways.cached();
    if (!cached) return ways.check();
    return { isAuthenticated: true, status: cached.approved ? 'approved' : undefined, isAdmin: cached.admin };
  }
}
