import { type Action, can } from '@kc/rules/access';
import { isAdmin } from '@kc/rules/account';
import { done, type Result, refuse } from '@kc/rules/result';
import type { Queryable, Tx } from '../database/open.ts';
import type { AccountDeps } from './deps.ts';
import { lockAccounts, type StoredAccount } from './queries.ts';
import { toAccount } from './responses.ts';

/**
 * Whether an account may do this right now. It could when the request began, but may have lost the right since. Its row
 * stays locked, so the answer holds until the transaction ends.
 *
 * Source: SECURITY.md, REL-17.
 */
export async function mayDo(
  tx: Tx,
  { config }: Pick<AccountDeps, 'config'>,
  accountId: string,
  action: Action,
): Promise<Result<unknown>> {
  const [account] = await lockAccounts(tx, [accountId]);
  return can(account && toAccount(account), action, config.builtInAdmins);
}

/**
 * The acting account, if it is still an administrator's. It was one when the request began, but hashing a password or
 * waiting for a lock takes long enough to be demoted meanwhile. The row stays locked, so nobody can demote it before
 * the transaction ends.
 *
 * Refusals: `session/required` if the account was deleted, `admin/only` if it is no longer an administrator's.
 *
 * Source: SECURITY.md, SEC-04, T31.
 */
export async function actingAdmin(
  tx: Tx,
  { config }: Pick<AccountDeps, 'config'>,
  actorId: string,
): Promise<Result<StoredAccount>> {
  const [actor] = await lockAccounts(tx, [actorId]);
  if (!actor) return refuse('session/required');
  return isAdmin(toAccount(actor), config.builtInAdmins) ? done(actor) : refuse('admin/only');
}

/**
 * Whether an account may import keyword lists for an owner, and has the quota of a user, as the database knows it now: for work that outlives the
 * request that began it.
 *
 * @param db a transaction, if the answer decides something in it
 */
export async function mayImportLists(
  db: Queryable,
  { config }: Pick<AccountDeps, 'config'>,
  accountId: string,
  ownerId: string,
): Promise<Result<{ readonly hasQuota: boolean }>> {
  const settings = await db.selectFrom('settings').select('user_imports').executeTakeFirstOrThrow();
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst();
  const action = { do: 'lists/import', ownerId, isAllowed: settings.user_imports } as const;
  const may = can(account && toAccount(account), action, config.builtInAdmins);
  return may.ok ? done({ hasQuota: !(account && isAdmin(toAccount(account), config.builtInAdmins)) }) : may;
}
