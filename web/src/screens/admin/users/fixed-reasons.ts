import { say } from '@kc/rules/messages';
import type { ListedAccount } from '@kc/rules/shapes';

/** Why the status of an account cannot be chosen, or `undefined` when it can. */
export function statusReason(account: ListedAccount): string | undefined {
  if (account.isYou) return say('account/own-status');
  if (account.isPrimaryAdmin) return say('account/primary-admin');
  return account.isSample ? say('account/sample-fixed') : undefined;
}

/** Why the role of an account cannot be chosen, or `undefined` when it can. */
export function roleReason(account: ListedAccount): string | undefined {
  if (account.isYou) return say('account/own-role');
  if (account.isPrimaryAdmin) return say('account/primary-admin-role');
  return account.isSample ? say('account/sample-fixed') : undefined;
}

/** Why an account other than one's own cannot be deleted, or `undefined` when it can. */
export function deleteReason(account: ListedAccount): string | undefined {
  if (account.isPrimaryAdmin) return say('account/primary-admin-delete');
  return account.isSample ? say('account/sample-delete') : undefined;
}
