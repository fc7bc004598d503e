import { done, type Result, refuse } from './result.ts';

export type Role = 'admin' | 'user';
export type Status = 'pending' | 'approved' | 'denied';

/** A user account. The credential (password or Google identity) is a separate record. */
export type Account = {
  readonly id: string;
  /** Lowercase and trimmed. */
  readonly email: string;
  readonly displayName: string;
  readonly role: Role;
  readonly status: Status;
  /** Whether the user has proven the address: claim link, `ADMIN_PASSWORD`, a trusted provider or a mailed link. */
  readonly emailProven: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
};

/** Emails whose accounts become administrators once proven: lowercase and trimmed. */
export type BuiltInAdmins = ReadonlySet<string>;

export const statusNames = { pending: 'Pending', approved: 'Active', denied: 'Disabled' } as const;
export const roleNames = { user: 'Regular User', admin: 'Administrator' } as const;

/**
 * The account with the rights of a built-in email: administrator and approved, whatever is stored, but only once the
 * email is proven.
 */
export function effective(account: Account, builtInAdmins: BuiltInAdmins): Account {
  if (!account.emailProven || !builtInAdmins.has(account.email)) return account;
  return { ...account, role: 'admin', status: 'approved' };
}

/** Whether the account may administer now: an approved administrator. Denied or pending administrators may not. */
export function isAdmin(account: Account, builtInAdmins: BuiltInAdmins): boolean {
  const now = effective(account, builtInAdmins);
  return now.role === 'admin' && now.status === 'approved';
}

/**
 * The account after `actor` sets its status, or the refusal to show.
 *
 * Refusals are checked in this order: the actor is not an administrator; the account is the actor's own; a built-in
 * admin would become anything but approved. This function stores nothing: the caller saves the result.
 */
export function changeStatus(
  actor: Account,
  account: Account,
  status: Status,
  builtInAdmins: BuiltInAdmins,
): Result<Account> {
  if (!isAdmin(actor, builtInAdmins)) return refuse('admin/only');
  if (actor.id === account.id) return refuse('account/own-status');
  if (builtInAdmins.has(account.email) && status !== 'approved') return refuse('account/primary-admin');
  return done({ ...account, status });
}

/** The account after `actor` sets its role, or the refusal to show. A built-in admin keeps its role. */
export function changeRole(
  actor: Account,
  account: Account,
  role: Role,
  builtInAdmins: BuiltInAdmins,
): Result<Account> {
  if (!isAdmin(actor, builtInAdmins)) return refuse('admin/only');
  if (actor.id === account.id) return refuse('account/own-role');
  if (builtInAdmins.has(account.email) && role !== 'admin') return refuse('account/primary-admin-role');
  return done({ ...account, role });
}

/** The fields that rank accounts with the same email. */
export type Duplicate = {
  readonly id: string;
  /** Whether the email belongs to a built-in admin and this account has the role that it grants. */
  readonly isBuiltInAdmin: boolean;
  readonly emailProven: boolean;
  /** ID of the administrator who created it, or `system`. */
  readonly createdBy: string;
  /** Milliseconds since 1970, UTC; `undefined` if the user has never signed in. */
  readonly lastLogin: number | undefined;
  readonly createdAt: number;
};

/**
 * Picks the account to use among several with the same email; `undefined` for an empty list.
 *
 * The order is: the built-in admin, proven before unproven, created by an administrator before self-registered, most
 * recently active, oldest. A later account must not win just by signing in last. The ID breaks ties, so the input order
 * does not matter.
 */
export function pickCanonical<D extends Duplicate>(duplicates: readonly D[]): D | undefined {
  return [...duplicates].sort(byClaim)[0];
}

function byClaim(a: Duplicate, b: Duplicate): number {
  return (
    Number(b.isBuiltInAdmin) - Number(a.isBuiltInAdmin) ||
    Number(b.emailProven) - Number(a.emailProven) ||
    Number(isAdminMade(b)) - Number(isAdminMade(a)) ||
    (b.lastLogin ?? 0) - (a.lastLogin ?? 0) ||
    a.createdAt - b.createdAt ||
    (a.id < b.id ? -1 : 1)
  );
}

/**
 * The status of the account that the others with its email are merged into. If any of them is denied, the result is
 * denied, whatever the status of the kept account. A proven built-in admin cannot be denied. See SECURITY.md, SEC-06.
 */
export function statusAfterMerge(kept: Account, merged: readonly Account[], builtInAdmins: BuiltInAdmins): Status {
  if (kept.emailProven && builtInAdmins.has(kept.email)) return kept.status;
  return merged.some(({ status }) => status === 'denied') ? 'denied' : kept.status;
}

const isAdminMade = ({ createdBy }: Duplicate): boolean => createdBy !== 'system';

/**
 * Whether `actor` may permanently delete this account, or why not. Refusals in order: the actor is not an
 * administrator; the account is the actor's own; it belongs to a built-in admin; it belongs to the sample. See
 * SECURITY.md, T29 and T30.
 */
export function checkDeletion(
  actor: Account,
  account: Account & { readonly isSample: boolean },
  builtInAdmins: BuiltInAdmins,
): Result<true> {
  if (!isAdmin(actor, builtInAdmins)) return refuse('admin/only');
  if (actor.id === account.id) return refuse('account/own-delete');
  if (builtInAdmins.has(account.email)) return refuse('account/primary-admin-delete');
  return account.isSample ? refuse('account/sample-delete') : done(true);
}

const statusOrder: Readonly<Record<Status, number>> = { pending: 0, approved: 1, denied: 2 };

/** List order: pending, approved, denied; newest first within a status. */
export function byStatusThenNewest(
  a: { readonly status: Status; readonly createdAt: number },
  b: { readonly status: Status; readonly createdAt: number },
): number {
  return statusOrder[a.status] - statusOrder[b.status] || b.createdAt - a.createdAt;
}

/** The stored and compared form of an email: trimmed and lowercase. */
export const canonicalEmail = (email: string): string => email.trim().toLowerCase();

/** The name shown for an account: its display name, or else the part of the email before the @. */
export function shownName(account: { readonly displayName: string; readonly email: string }): string {
  return account.displayName.trim() || (account.email.split('@')[0] ?? account.email);
}
