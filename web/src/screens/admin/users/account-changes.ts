import { type Role, roleNames, type Status, statusNames } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { type Refusal, toRefusal } from '@kc/rules/result';
import type { ListedAccount } from '@kc/rules/shapes';
import { concernsSession } from '../../../api/refusal.ts';

/** A field of the account and its new value. */
export type Setting = { readonly what: 'status'; readonly to: Status } | { readonly what: 'role'; readonly to: Role };
/** A setting for one account, given as it was before the change. */
export type Change = Setting & { readonly account: ListedAccount };

/** The effect of one setting on several accounts. */
export type Plan = {
  readonly setting: Setting;
  readonly changes: readonly Change[];
  /** Number of accounts that already have the value. */
  readonly already: number;
  /** Number of skipped accounts by reason. */
  readonly skipped: ReadonlyMap<string, number>;
};

/** Which of the accounts a setting changes. Accounts whose value is fixed are skipped, each with its reason. */
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

/** The account after the change. */
export function changed({ account, what, to }: Change): ListedAccount {
  return what === 'status' ? { ...account, status: to } : { ...account, role: to };
}

/** The change that undoes another one. */
export function undoOf(change: Change): Change {
  const account = changed(change);
  return change.what === 'status'
    ? { account, what: 'status', to: change.account.status }
    : { account, what: 'role', to: change.account.role };
}

/** The accounts after the changes, which are applied in order. */
export function withChanges(accounts: readonly ListedAccount[], changes: readonly Change[]): readonly ListedAccount[] {
  if (changes.length === 0) return accounts;
  const after = new Map<string, ListedAccount>();
  const current = new Map(accounts.map((account) => [account.id, account]));
  for (const change of changes) {
    const account = after.get(change.account.id) ?? current.get(change.account.id);
    if (account) after.set(account.id, changed({ ...change, account }));
  }
  return accounts.map((account) => after.get(account.id) ?? account);
}

const nameOf = (setting: Setting): string =>
  setting.what === 'status' ? statusNames[setting.to] : roleNames[setting.to];

export function successText(setting: Setting): string {
  return setting.what === 'status'
    ? say('account/status-changed', { status: nameOf(setting) })
    : say('account/role-changed', { role: nameOf(setting) });
}

export function failureText(setting: Setting, reason: string): string {
  return say(setting.what === 'status' ? 'account/status-failed' : 'account/role-failed', { reason });
}

/**
 * The result of a bulk change in one sentence: "2 users changed, 1 skipped: You cannot change your own status".
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

/** Why the status of an account is fixed; `undefined` if it can be changed. */
export function statusReason(account: ListedAccount): string | undefined {
  if (account.isYou) return say('account/own-status');
  if (account.isPrimaryAdmin) return say('account/primary-admin');
  return account.isSample ? say('account/sample-fixed') : undefined;
}

/** Why the role of an account is fixed; `undefined` if it can be changed. */
export function roleReason(account: ListedAccount): string | undefined {
  if (account.isYou) return say('account/own-role');
  if (account.isPrimaryAdmin) return say('account/primary-admin-role');
  return account.isSample ? say('account/sample-fixed') : undefined;
}

/** Why another person's account cannot be deleted; `undefined` if it can. */
export function deleteReason(account: ListedAccount): string | undefined {
  if (account.isPrimaryAdmin) return say('account/primary-admin-delete');
  return account.isSample ? say('account/sample-delete') : undefined;
}

type Failure = { readonly change: Change; readonly refusal: Refusal };
export type Outcome = { readonly done: readonly Change[]; readonly failed: readonly Failure[] };

/** The server's response to one change: the updated account, or why it was refused. */
export type ChangeResult = { readonly account: ListedAccount } | { readonly refusal: Refusal };

/**
 * Sends the changes in order, in batches of the largest size that a call accepts. Each batch is one transaction: it
 * saves everything that the rules allow, or fails as a whole. A failed batch does not stop the next one.
 *
 * @param send saves one batch and returns a result per change; rejects as API calls do
 * @param onSaved called with the updated accounts of each batch
 * @throws the error of a batch if the session has ended or may do nothing more
 */
export async function runChanges(
  changes: readonly Change[],
  send: (batch: readonly Change[]) => Promise<readonly ChangeResult[]>,
  onSaved: (accounts: readonly ListedAccount[]) => void,
): Promise<Outcome> {
  const done: Change[] = [];
  const failed: Failure[] = [];
  for (let start = 0; start < changes.length; start += limits.maxBulkChanges) {
    const batch = changes.slice(start, start + limits.maxBulkChanges);
    try {
      const results = await send(batch);
      const saved: ListedAccount[] = [];
      for (const [index, change] of batch.entries()) {
        const result = results[index]!;
        if ('refusal' in result) failed.push({ change, refusal: result.refusal });
        else {
          done.push(change);
          saved.push(result.account);
        }
      }
      onSaved(saved);
    } catch (error) {
      const refusal = toRefusal(error);
      if (concernsSession(refusal)) throw error;
      for (const change of batch) failed.push({ change, refusal });
    }
  }
  return { done, failed };
}
