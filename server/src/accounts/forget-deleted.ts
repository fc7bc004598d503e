import { done, type Result, refuse } from '@kc/rules/result';
import { sql } from 'kysely';
import { audit } from '../database/audit.ts';
import { inTransaction } from '../database/open.ts';
import { actingAdmin } from './acting-admin.ts';
import { wasDeleted } from './deletion-queries.ts';
import type { AccountDeps } from './deps.ts';
import { isId } from './queries.ts';

/**
 * Removes the emails of a deleted user from the audit log. Its lines keep only the ID, and a new line records who
 * did this. A second run changes nothing and adds no line.
 *
 * Refusals: those of {@link actingAdmin}; `account/not-found` if no deleted account had this ID.
 *
 * Source: docs/decisions/044-emails-of-deleted-accounts.md
 *
 * @returns the number of lines changed
 */
export function forgetDeleted(
  deps: Pick<AccountDeps, 'config' | 'db' | 'log' | 'now'>,
  actorId: string,
  accountId: string,
): Promise<Result<number>> {
  return inTransaction(deps.db, async (tx): Promise<Result<number>> => {
    const actor = await actingAdmin(tx, deps, actorId);
    if (!actor.ok) return actor;
    if (!isId(accountId) || !(await wasDeleted(tx, accountId))) return refuse('account/not-found');
    const { rows } = await sql<{ lines: number }>`select forget_deleted(${accountId}) as lines`.execute(tx);
    const lines = Number(rows[0]?.lines);
    if (lines === 0) return done(0);
    await audit(tx, { actor: actorId, action: 'forget', target: accountId, details: { lines } }, deps.now());
    deps.log.info({ event: 'forget', actor: actorId, account: accountId, lines }, 'Removed a deleted email');
    return done(lines);
  });
}
