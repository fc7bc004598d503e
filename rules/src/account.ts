import { done, type Result, refuse } from './result.ts';

export type Role = 'admin' | 'user';
export type Status = 'pending' | 'approved' | 'denied';

/**
 * A person as the product knows them. The credential (password, Google identity) is a record of its own.
 *
 * Source: spec §3 "User profile", decisions §2.1.
 */
export type Account = {
  readonly id: string;
  /** Lowercase and trimmed. */
  readonly email: string;
  readonly displayName: string;
  readonly role: Role;
  readonly status: Status;
  /** Whether the address was shown to be this person's: claim link, `ADMIN_PASSWORD`, a proving provider or a mailed link. */
  readonly emailProven: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
};

/** Emails that count as admin once they are proven: lowercase and trimmed. */
export type BuiltInAdmins = ReadonlySet<string>;

export const statusNames = { pending: 'Pending', approved: 'Active', denied: 'Disabled' } as const;
export const roleNames = { user: 'Regular User', admin: 'Administrator' } as const;

/**
 * The account with what its built-in email gives it: admin and approved, whatever is stored, but only once the
 * email is proven.
 *
 * Source: spec §4, §6; decisions §2.2.
 */
export function effective(account: Account, builtInAdmins: BuiltInAdmins): Account {
  if (!account.emailProven || !builtInAdmins.has(account.email)) return account;
  return { ...account, role: 'admin', status: 'approved' };
}

/** Whether this person may administer now: an admin who is approved. A denied or pending admin may not. */
export function isAdmin(account: Account, builtInAdmins: BuiltInAdmins): boolean {
  const now = effective(account, builtInAdmins);
  return now.role === 'admin' && now.status === 'approved';
}

/**
 * The account as it stands after `actor` sets its status, or the refusal to show.
 *
 * Reasons are tried in this order: the actor is no admin; the actor is the account itself; a built-in admin would
 * become anything but approved. Nothing is stored here: the caller saves the result.
 *
 * Source: spec §4 "User status", §5, §6.
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

/**
 * The account as it stands after `actor` sets its role, or the refusal to show. A built-in admin keeps its role.
 *
 * Source: spec §4 "Role", §5; decisions §2.2.
 */
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

/** What decides between accounts of one email. */
export type Duplicate = {
  readonly id: string;
  /** Whether the email is a built-in admin's and this account has the role that it gives. */
  readonly isBuiltInAdmin: boolean;
  readonly emailProven: boolean;
  /** Id of the admin who made it, or `system`. */
  readonly createdBy: string;
  /** Milliseconds since 1970, UTC; `undefined` for somebody who never signed in. */
  readonly lastLogin: number | undefined;
  readonly createdAt: number;
};

/**
 * Of several accounts of one email, the one that is used; `undefined` of none.
 *
 * A built-in email's administrator goes first, then proven before unproven, made by an admin before signed up, who was
 * active most recently, and the older one: whoever takes an email over later must not win by signing in last. The id settles what is left, so that the
 * order they come in does not matter.
 *
 * Source: spec §4 "Duplicate accounts", decisions §2.3, security S4.
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
 * The status of the account that others of its email are merged into: who was denied under one of them is denied, however
 * the one that is used stood. A built-in admin who is proven cannot be denied.
 *
 * Source: decisions §2.3, security SEC-06.
 */
export function statusAfterMerge(kept: Account, merged: readonly Account[], builtInAdmins: BuiltInAdmins): Status {
  if (kept.emailProven && builtInAdmins.has(kept.email)) return kept.status;
  return merged.some(({ status }) => status === 'denied') ? 'denied' : kept.status;
}

const isAdminMade = ({ createdBy }: Duplicate): boolean => createdBy !== 'system';

/**
 * Whether `actor` may delete this account for good, or why not. Reasons in order: the actor is no admin; the account is
 * the actor's own; it is a built-in admin's; it is the sample's.
 *
 * Source: spec §6, decisions §1 (sample), security T29, T30.
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

/** List order: pending, approved, denied; within a status the newest first. Source: spec §4 "User status". */
export function byStatusThenNewest(
  a: { readonly status: Status; readonly createdAt: number },
  b: { readonly status: Status; readonly createdAt: number },
): number {
  return statusOrder[a.status] - statusOrder[b.status] || b.createdAt - a.createdAt;
}

/** An email as it is stored and compared: trimmed, lowercase. Source: spec §3. */
export const canonicalEmail = (email: string): string => email.trim().toLowerCase();

/** The name to greet somebody with: their display name, else the part of the email before @. Source: spec §2 "Header". */
export function shownName(account: { readonly displayName: string; readonly email: string }): string {
  return account.displayName.trim() || (account.email.split('@')[0] ?? account.email);
}
