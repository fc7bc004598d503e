import { isAdmin } from '@kc/rules/account';
import { done, type Result, refuse } from '@kc/rules/result';
import type { Transaction } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { AccountDeps } from './deps.ts';
import { lockAccounts, type StoredAccount } from './queries.ts';
import { toAccount } from './responses.ts';

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
  tx: Transaction<Database>,
  { config }: Pick<AccountDeps, 'config'>,
  actorId: string,
): Promise<Result<StoredAccount>> {
  const [actor] = await lockAccounts(tx, [actorId]);
  if (!actor) return refuse('session/required');
  return isAdmin(toAccount(actor), config.builtInAdmins) ? done(actor) : refuse('admin/only');
}
