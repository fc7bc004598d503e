import { done, type Result, refuse } from '@kc/rules/result';
import { sql } from 'kysely';
import { audit } from '../database/audit.ts';
import { inTransaction } from '../database/open.ts';
import { actingAdmin } from './acting-admin.ts';
import { wasDeleted } from './deletion-queries.ts';
import type { AccountDeps } from './deps.ts';
import { isId } from './queries.ts';

/**
 * Removes the emails of a deleted person from the audit log. Its lines stay, with the id that names nobody any more, and
 * one more says who did this. Done twice, the second time finds none.
 *
 * Refusals: those of {@link actingAdmin}; `account/not-found`, nobody of that id was deleted.
 *
 * Source: docs/decisions/044-emails-of-deleted-accounts.md
 *
 * @returns of how many lines
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
