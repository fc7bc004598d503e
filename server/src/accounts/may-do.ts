import { type Action, can } from '@kc/rules/access';
import type { Result } from '@kc/rules/result';
import type { Transaction } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { AccountDeps } from './deps.ts';
import { lockAccounts } from './queries.ts';
import { toAccount } from './responses.ts';

/**
 * Whether an account may do this right now. It could when the request began, but may have lost the right since. Its row
 * stays locked, so the answer holds until the transaction ends.
 *
 * Source: SECURITY.md, REL-17.
 */
export async function mayDo(
  tx: Transaction<Database>,
  { config }: Pick<AccountDeps, 'config'>,
  accountId: string,
  action: Action,
): Promise<Result<unknown>> {
  const [account] = await lockAccounts(tx, [accountId]);
  return can(account && toAccount(account), action, config.builtInAdmins);
}
