import { type Role, roleNames, type Status, statusNames } from '@kc/rules/account';
import { say } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';
import { roleReason, statusReason } from './fixed-reasons.ts';

/** What to set, and to what. */
export type Setting = { readonly what: 'status'; readonly to: Status } | { readonly what: 'role'; readonly to: Role };
/** A setting of one account, which is held as it was before. */
export type Change = Setting & { readonly account: ListedAccount };

/** What a setting comes to for several accounts. */
export type Plan = {
  readonly setting: Setting;
  readonly changes: readonly Change[];
  /** Accounts that have the value already. */
  readonly already: number;
  /** Why accounts are left out, with how many. */
  readonly skipped: ReadonlyMap<string, number>;
};

/** Which of the accounts a setting changes. Those whose value is fixed are left out, each with its reason. */
export function planOf(setting: Setting, accounts: readonly ListedAccount[]): Plan {
  const skipped = new Map<string, number>();
  const free = accounts.filter((account) => {
    const reason = setting.what === 'status' ? statusReason(account) : roleReason(account);
    if (reason) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    return !reason;
  });
  const changes = free
    .filter((account) => account[setting.what] !== setting.to)
    .map((account) => ({ ...setting, account }));
  return { setting, changes, already: free.length - changes.length, skipped };
}

/** The account as it is once the change is made. */
export function changed({ account, what, to }: Change): ListedAccount {
  return what === 'status' ? { ...account, status: to } : { ...account, role: to };
}

/** The change that takes another one back. */
export function undoOf(change: Change): Change {
  const account = changed(change);
  return change.what === 'status'
    ? { account, what: 'status', to: change.account.status }
    : { account, what: 'role', to: change.account.role };
}

/** The accounts as they will be once the changes are made. */
export function withChanges(accounts: readonly ListedAccount[], changes: readonly Change[]): readonly ListedAccount[] {
  if (changes.length === 0) return accounts;
  const after = new Map<string, ListedAccount>();
  const held = new Map(accounts.map((account) => [account.id, account]));
  for (const change of changes) {
    const account = after.get(change.account.id) ?? held.get(change.account.id);
    if (account) after.set(account.id, changed({ ...change, account }));
  }
  return accounts.map((account) => after.get(account.id) ?? account);
}

const nameOf = (setting: Setting): string =>
  setting.what === 'status' ? statusNames[setting.to] : roleNames[setting.to];

/** Source: spec §8 "Role success", "Status success". */
export function successText(setting: Setting): string {
  return setting.what === 'status'
    ? say('account/status-changed', { status: nameOf(setting) })
    : say('account/role-changed', { role: nameOf(setting) });
}

export function failureText(setting: Setting, reason: string): string {
  return say(setting.what === 'status' ? 'account/status-failed' : 'account/role-failed', { reason });
}

/**
 * What became of several accounts in one sentence: "2 changed, 1 skipped: You cannot change your own status".
 *
 * @param failed how many the server refused
 */
export function planText({ setting, already, skipped }: Plan, done: number, failed: number): string {
  const left = [...skipped.values()].reduce((sum, count) => sum + count, 0);
  return [
    say('account/bulk-changed', { count: done }),
    already > 0 && say('account/bulk-already', { count: already, value: nameOf(setting) }),
    failed > 0 && say('account/bulk-failed', { count: failed }),
    left > 0 && say('account/bulk-skipped', { count: left, reasons: [...skipped.keys()].join('; ') }),
  ]
    .filter(Boolean)
    .join(', ');
}
