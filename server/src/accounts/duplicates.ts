import { isAdmin } from '@kc/rules/account';
import { done, type Result, refuse } from '@kc/rules/result';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction, type Tx } from '../database/open.ts';
import type { AccountDeps } from './deps.ts';
import { duplicateGroups, duplicateIds, type Group } from './duplicate-groups.ts';
import { lockAccounts, type StoredAccount, saveRoleAndStatus } from './queries.ts';
import { toAccount } from './responses.ts';

/**
 * Of several accounts with one email, marks all but the one in use as migrated to it. Nothing is deleted or moved.
 * Marked accounts are signed out and cannot sign in. If a marked account was denied, the denial carries over. The
 * requester's own account is never changed; if the email is built in, it is the one in use.
 *
 * A unique index prevents duplicates, so they can only come from imported data. A second run finds none.
 *
 * Source: SECURITY.md, S4.
 *
 * @returns how many were marked
 */
export function cleanDuplicates(deps: AccountDeps, actorId: string): Promise<Result<number>> {
  const now = deps.now();
  return inTransaction(deps.db, async (tx) => {
    const rows = await lockAccounts(tx, [actorId, ...(await duplicateIds(tx))]);
    const actor = rows.find((row) => row.id === actorId);
    if (!actor) return refuse('session/required');
    if (!isAdmin(toAccount(actor), deps.config.builtInAdmins)) return refuse('admin/only');
    let marked = 0;
    for (const group of duplicateGroups(rows, actorId, deps.config.builtInAdmins)) {
      const { canonical, losers } = group;
      for (const row of losers) {
        await markMigrated(tx, row, canonical.id, actorId, now);
        deps.log.info({ event: 'duplicate', actor: actorId, account: row.id, to: canonical.id }, 'Marked a duplicate');
        marked++;
      }
      await carryDenialOver(tx, deps, group, actorId);
    }
    if (marked > 0) await notify(tx, { about: 'accounts' });
    return done(marked);
  });
}

async function markMigrated(tx: Tx, row: StoredAccount, to: string, actorId: string, now: number): Promise<void> {
  const at = new Date(now);
  await tx
    .updateTable('accounts')
    .set({ migrated_to: to, migrated_at: at, updated_at: at })
    .where('id', '=', row.id)
    .execute();
  await tx.deleteFrom('sessions').where('account_id', '=', row.id).execute();
  await audit(tx, { actor: actorId, action: 'duplicate', target: row.id, details: { to } }, now);
  await notify(tx, { about: 'session', accountId: row.id });
}

/** A denied user must not regain access through a duplicate. Source: SECURITY.md, SEC-06. */
async function carryDenialOver(
  tx: Tx,
  deps: AccountDeps,
  { canonical, statusAfter: status }: Group,
  actorId: string,
): Promise<void> {
  if (status === canonical.status) return;
  const { id, role } = canonical;
  const details = { from: canonical.status, to: status };
  await saveRoleAndStatus(tx, canonical, { role, status }, deps.now());
  await audit(tx, { actor: actorId, action: 'status', target: id, details }, deps.now());
  await notify(tx, { about: 'session', accountId: id });
  deps.log.info({ event: 'status', actor: actorId, account: id, ...details }, 'Changed status');
}
