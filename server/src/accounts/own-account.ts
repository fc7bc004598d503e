import { done, type Result } from '@kc/rules/result';
import { checkName } from '@kc/rules/sign-in';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import { consume } from '../http/rate-limits.ts';
import type { AccountDeps } from './deps.ts';
import { nameLimit } from './limits.ts';
import type { Person } from './require.ts';
import { endAllSessions } from './sessions.ts';
import { limited } from './sign-in.ts';

/** Changes a user's display name and notifies their other tabs and the administrators' lists. */
export async function setName(
  deps: AccountDeps,
  { account }: Person,
  name: string,
  address: string,
): Promise<Result<true>> {
  const displayName = checkName(name);
  if (!displayName.ok) return displayName;
  if (displayName.value === account.displayName) return done(true);
  const now = deps.now();
  const wait = await consume(deps.db, nameLimit, account.id, now);
  if (wait > 0) return limited(deps, 'name', address, wait);
  await inTransaction(deps.db, async (tx) => {
    await tx
      .updateTable('accounts')
      .set({ display_name: displayName.value, updated_at: new Date(now) })
      .where('id', '=', account.id)
      .execute();
    await audit(tx, { actor: account.id, action: 'name', target: account.id }, now);
    await notify(tx, { about: 'session', accountId: account.id });
    await notify(tx, { about: 'accounts' });
  });
  return done(true);
}

/** Ends all sessions of the user, on every device; open streams close. Source: SECURITY.md, T11. */
export async function signOutEverywhere(deps: AccountDeps, { account }: Person): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await endAllSessions(tx, account.id);
    await audit(tx, { actor: account.id, action: 'sign-out-everywhere', target: account.id }, deps.now());
  });
  deps.log.info({ event: 'sign-out', account: account.id, everywhere: true }, 'Signed out everywhere');
}
