import { limits } from '@kc/rules/limits';
import { done, type Result, refuse } from '@kc/rules/result';
import { checkAdminPassword } from '@kc/rules/sign-in';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { type Db, inTransaction, type Queryable } from '../database/open.ts';
import { consume } from '../http/rate-limits.ts';
import type { AccountDeps } from './deps.ts';
import { dropUnprovenWaysIn } from './google/identity-queries.ts';
import { claimLimit } from './limits.ts';
import { isWeak } from './passwords.ts';
import { markSignedIn, savePassword } from './queries.ts';
import { endAllSessions, endSession, startSession } from './sessions.ts';
import { limited } from './sign-in.ts';
import { consumeToken, type Holder, issueToken, readToken } from './tokens.ts';

/**
 * The token of a new claim link. The account's earlier tokens become invalid.
 *
 * Source: SECURITY.md, S1.
 */
export async function issueClaim(db: Db, accountId: string, now: number): Promise<string> {
  return inTransaction(db, (tx) => issueToken(tx, 'claim', accountId, limits.claimLinkMs, now));
}

/** The email of a claim link, while the link is valid. */
export async function readClaim(deps: AccountDeps, token: string, address: string): Promise<Result<Holder>> {
  const now = deps.now();
  const wait = await consume(deps.db, claimLimit, address, now);
  if (wait > 0) return limited(deps, 'claim', address, wait);
  const claimant = await readToken(deps.db, 'claim', token, now);
  return claimant && deps.config.builtInAdmins.has(claimant.email) ? done(claimant) : refuse('claim/invalid');
}

/**
 * Sets a built-in administrator's password, proves the email and starts a session. All earlier sessions of the account
 * end, and so does the browser's session. Of several simultaneous uses, one succeeds.
 *
 * @param from the requester's address and current session token
 * @returns the session's token
 */
export async function claim(
  deps: AccountDeps,
  fields: { token: string; password: string },
  from: { address: string; token: string | undefined },
): Promise<Result<{ token: string; accountId: string }>> {
  const { address } = from;
  const claimant = await readClaim(deps, fields.token, address);
  if (!claimant.ok) return claimant;
  const password = checkAdminPassword(fields.password);
  if (!password.ok) return password;
  const { accountId, email } = claimant.value;
  if (isWeak(password.value, email)) return refuse('sign-up/weak');
  const hash = await deps.passwords.hash(password.value);
  const now = deps.now();
  return inTransaction(deps.db, async (tx) => {
    if (!(await consumeToken(tx, 'claim', fields.token, now))) return refuse('claim/invalid');
    await proveAdmin(tx, accountId, now);
    await savePassword(tx, accountId, hash, now);
    if (from.token) await endSession(tx, from.token);
    await markSignedIn(tx, accountId, now);
    await audit(tx, { actor: accountId, action: 'claim', target: accountId }, now);
    await notify(tx, { about: 'accounts' });
    deps.log.info({ event: 'claim', account: accountId, address }, 'A built-in admin claimed the account');
    return done({ token: await startSession(tx, accountId, false, now), accountId });
  });
}

/**
 * Makes the account what `ADMIN_EMAILS` says: administrator and approved. Its sessions end, and so do identities, access
 * tokens and links to visualizations from before the proof.
 */
export async function proveAdmin(db: Queryable, accountId: string, now: number): Promise<void> {
  // A concurrent sign-in either has its session already, or waits for this row and is checked again.
  await db.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
  await dropUnprovenWaysIn(db, accountId, now);
  await endAllSessions(db, accountId);
  await db
    .updateTable('accounts')
    .set({ email_proven_at: new Date(now), role: 'admin', status: 'approved', updated_at: new Date(now) })
    .where('id', '=', accountId)
    .execute();
}
