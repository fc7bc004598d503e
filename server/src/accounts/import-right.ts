import { can } from '@kc/rules/access';
import { isAdmin } from '@kc/rules/account';
import { done, type Result } from '@kc/rules/result';
import type { Queryable } from '../database/open.ts';
import type { AccountDeps } from './deps.ts';
import { toAccount } from './responses.ts';

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
