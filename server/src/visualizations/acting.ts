import type { Action } from '@kc/rules/access';
import type { Result } from '@kc/rules/result';
import type { Queryable, Tx } from '../database/open.ts';
import { allowed } from '../http/refusals.ts';
import { lockOwners } from './queries.ts';

/** Whether an account may do something right now. It keeps the right until the transaction ends. */
export type MayDo = (tx: Tx, accountId: string, action: Action) => Promise<Result<unknown>>;

/** Whether an account may import keyword lists for an owner right now, and whether it has the quota of a user. */
export type MayImport = (
  db: Queryable,
  accountId: string,
  ownerId: string,
) => Promise<Result<{ readonly hasQuota: boolean }>>;

/**
 * Locks the owner of what is changed and the account that changes it, and checks permission again: it may have been lost
 * since the request began.
 *
 * @returns the owner's ID; undefined if the owner was deleted
 * @throws the refusal as the contract's error
 */
export async function lockActing(
  tx: Tx,
  mayDo: MayDo,
  actorId: string,
  action: Extract<Action, { readonly ownerId: string }>,
): Promise<string | undefined> {
  const current = await lockOwners(tx, [action.ownerId, actorId]);
  allowed(await mayDo(tx, actorId, action));
  return current(action.ownerId);
}
