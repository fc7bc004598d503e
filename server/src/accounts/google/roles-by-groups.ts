import { isAdmin } from '@kc/rules/account';
import { standingByGroups } from '@kc/rules/group-roles';
import { sql } from 'kysely';
import { audit } from '../../database/audit.ts';
import { notify } from '../../database/notifications.ts';
import type { Tx } from '../../database/open.ts';
import type { AccountDeps } from '../deps.ts';
import { lockAccounts, saveRoleAndStatus } from '../queries.ts';
import { toAccount } from '../responses.ts';

/**
 * Gives an account the role and the approval that the groups of its person mean, if this server knows such groups. Whoever
 * signs in holds the lock on the account; of several who would lose the role at once, each sees what became of the one before,
 * so that one administrator always remains.
 *
 * Source: SECURITY.md, SEC-55
 */
export async function applyGroups(
  tx: Tx,
  { config, log }: Pick<AccountDeps, 'config' | 'log'>,
  accountId: string,
  groups: readonly string[],
  now: number,
): Promise<void> {
  const { groupRoles: rules, builtInAdmins } = config;
  if (!rules) return;
  await sql`select pg_advisory_xact_lock(hashtextextended('roles by groups', 0))`.execute(tx);
  // As it is after what the sign-in has changed so far.
  const [account] = await lockAccounts(tx, [accountId]);
  if (!account) return;
  const others = await anotherAdmin(tx, account.id, builtInAdmins);
  const { role, status, isLast } = standingByGroups(account, groups, rules, others, builtInAdmins);
  const line = { actor: 'system', target: account.id } as const;
  if (isLast) {
    log.warn(
      { event: 'role', account: account.id },
      'The last administrator keeps the role, although no group gives it',
    );
    const details = { by: 'groups', kept: 'the last administrator' };
    await audit(tx, { ...line, action: 'role', result: 'refused', details }, now);
  }
  if (role === account.role && status === account.status) return;
  await saveRoleAndStatus(tx, account, { role, status }, now);
  for (const [action, from, to] of [
    ['role', account.role, role],
    ['status', account.status, status],
  ] as const) {
    if (from !== to) await audit(tx, { ...line, action, details: { from, to, by: 'groups' } }, now);
  }
  await notify(tx, { about: 'accounts' });
  await notify(tx, { about: 'session', accountId: account.id });
  log.info({ event: 'role', account: account.id, role, status, by: 'groups' }, 'Groups changed an account');
}

async function anotherAdmin(
  tx: Tx,
  except: string,
  builtInAdmins: AccountDeps['config']['builtInAdmins'],
): Promise<boolean> {
  const candidates = await tx
    .selectFrom('accounts')
    .selectAll()
    .where('id', '!=', except)
    .where('migrated_to', 'is', null)
    .where('is_sample', '=', false)
    .where((e) => e.or([e('role', '=', 'admin'), e('email', 'in', ['', ...builtInAdmins])]))
    .execute();
  return candidates.some((row) => isAdmin(toAccount(row), builtInAdmins));
}
