import { effective } from '@kc/rules/account';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import type { AccountDeps } from './deps.ts';
import { lockAccounts, saveRoleAndStatus } from './queries.ts';
import { toAccount } from './responses.ts';

/**
 * The action "Fix Admin Status": stores the role and status that a built-in email gives its account.
 *
 * The email must be proven for this very account: an account that signed up before its email was added to
 * `ADMIN_EMAILS` gets nothing.
 *
 * Source: SECURITY.md, S2.
 *
 * @returns whether the account is a built-in administrator's, stored now or before
 */
export function fixAdminStatus(deps: AccountDeps, accountId: string): Promise<boolean> {
  const { builtInAdmins } = deps.config;
  const now = deps.now();
  return inTransaction(deps.db, async (tx) => {
    const [row] = await lockAccounts(tx, [accountId]);
    if (!row?.email_proven_at || !builtInAdmins.has(row.email)) return false;
    const { role, status } = effective(toAccount(row), builtInAdmins);
    if (row.role === role && row.status === status) return true;
    await saveRoleAndStatus(tx, row, { role, status }, now);
    const details = { from: { role: row.role, status: row.status }, to: { role, status } };
    await audit(tx, { actor: accountId, action: 'admin-fix', target: accountId, details }, now);
    await notify(tx, { about: 'session', accountId });
    await notify(tx, { about: 'accounts' });
    deps.log.info({ event: 'admin-fix', account: accountId }, 'Stored a built-in admin’s role and status');
    return true;
  });
}
