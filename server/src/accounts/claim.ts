import { limits } from '@kc/rules/limits';
import { done, type Result, refuse } from '@kc/rules/result';
import { checkAdminPassword } from '@kc/rules/sign-in';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { type Db, inTransaction, type Queryable } from '../database/open.ts';
import { spend } from '../http/rate-limits.ts';
import { claimLimit } from './limits.ts';
import type { AccountParts } from './parts.ts';
import { isWeak } from './password-strength.ts';
import { savePassword } from './queries.ts';
import { endAllSessions, startSession } from './sessions.ts';
import { limited } from './sign-in.ts';
import { type Holder, issueToken, readToken, spendToken } from './tokens.ts';

/**
 * A fresh claim link's token; the account's earlier ones end.
 *
 * Source: decisions §1, security S1.
 */
export async function issueClaim(db: Db, accountId: string, now: number): Promise<string> {
  return inTransaction(db, (tx) => issueToken(tx, 'claim', accountId, limits.claimLinkMs, now));
}

/** The email a claim link is for, while the link is good. */
export async function readClaim(parts: AccountParts, token: string, address: string): Promise<Result<Holder>> {
  const now = parts.now();
  const wait = await spend(parts.db, claimLimit, address, now);
  if (wait > 0) return limited(parts, 'claim', address, wait);
  const claimant = await readToken(parts.db, 'claim', token, now);
  return claimant && parts.config.builtInAdmins.has(claimant.email) ? done(claimant) : refuse('claim/invalid');
}

/**
 * Sets a built-in admin's password, proves the email and starts a session. Whatever signed in to this account before
 * is signed out. Of any number of uses at once, one succeeds.
 *
 * @returns the session's token
 */
export async function claim(
  parts: AccountParts,
  fields: { token: string; password: string },
  address: string,
): Promise<Result<{ token: string; accountId: string }>> {
  const claimant = await readClaim(parts, fields.token, address);
  if (!claimant.ok) return claimant;
  const password = checkAdminPassword(fields.password);
  if (!password.ok) return password;
  const { accountId, email } = claimant.value;
  if (isWeak(password.value, email)) return refuse('sign-up/weak');
  const hash = await parts.passwords.hash(password.value);
  const now = parts.now();
  return inTransaction(parts.db, async (tx) => {
    if (!(await spendToken(tx, 'claim', fields.token, now))) return refuse('claim/invalid');
    await proveAdmin(tx, accountId, hash, now);
    await endAllSessions(tx, accountId);
    await tx
      .updateTable('accounts')
      .set({ last_login: new Date(now) })
      .where('id', '=', accountId)
      .execute();
    await audit(tx, { actor: accountId, action: 'claim', target: accountId }, now);
    await notify(tx, { about: 'accounts' });
    parts.log.info({ event: 'claim', account: accountId, address }, 'A built-in admin claimed the account');
    return done({ token: await startSession(tx, accountId, false, now), accountId });
  });
}

/** From here on the account is what `ADMIN_EMAILS` says: admin and approved. */
export async function proveAdmin(db: Queryable, accountId: string, passwordHash: string, now: number): Promise<void> {
  await savePassword(db, accountId, passwordHash, now);
  await db
    .updateTable('accounts')
    .set({ email_proven_at: new Date(now), role: 'admin', status: 'approved', updated_at: new Date(now) })
    .where('id', '=', accountId)
    .execute();
}
