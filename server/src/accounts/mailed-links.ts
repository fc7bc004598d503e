import { done, type Result, refuse } from '@kc/rules/result';
import { checkEmail, checkNewPassword, minPasswordLength } from '@kc/rules/sign-in';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { countOf, inTransaction } from '../database/open.ts';
import { consume } from '../http/rate-limits.ts';
import type { AccountDeps } from './deps.ts';
import { dropUnprovenWaysIn } from './google/identity-queries.ts';
import { linkLimit, mailAddressLimit, mailLimits } from './limits.ts';
import { isWeak } from './passwords.ts';
import { lockAccounts, savePassword } from './queries.ts';
import type { Person } from './require.ts';
import { endAllSessions } from './sessions.ts';
import { limited } from './sign-in.ts';
import { consumeToken, type Holder, livingTokensOf, readToken } from './tokens.ts';

/**
 * Requests a reset link. Known and unknown emails cause the same work and the same response: the job that writes the
 * mail looks up the account. After three requests an hour for an email, the response stays the same and nothing is
 * sent.
 *
 * Source: SECURITY.md, SEC-15, T14.
 */
export async function requestReset(
  deps: AccountDeps,
  fields: { email: string },
  address: string,
): Promise<Result<{ email: string }>> {
  const email = checkEmail(fields.email);
  if (!email.ok) return email;
  const { db } = deps;
  const now = deps.now();
  const wait = await consume(db, mailAddressLimit, address, now);
  if (wait > 0) return limited(deps, 'reset-request', address, wait);
  const spared = await consume(db, mailLimits.reset, email.value, now);
  if (spared === 0) await inTransaction(db, (tx) => deps.mails.enqueue(tx, 'reset', email.value));
  deps.log.info({ event: 'reset-request', address }, 'A reset link was requested');
  return done({ email: email.value });
}

/**
 * The account whose password a reset link sets, while the link is valid. A link sent before its address was added to
 * `ADMIN_EMAILS` is not: it would prove the address, and no mail makes anybody an administrator.
 */
export async function readReset(
  deps: AccountDeps,
  token: string,
  address: string,
): Promise<Result<Holder & { readonly minPasswordLength: number }>> {
  const now = deps.now();
  const wait = await consume(deps.db, linkLimit, address, now);
  if (wait > 0) return limited(deps, 'reset', address, wait);
  const holder = await readToken(deps.db, 'reset', token, now);
  if (!holder) return refuse('reset/invalid');
  if (!holder.emailProven && deps.config.builtInAdmins.has(holder.email)) return refuse('reset/invalid');
  return done({ ...holder, minPasswordLength: minPasswordLength(holder, deps.config.builtInAdmins) });
}

/**
 * Sets a new password. All sessions of the account end, and its other mailed links become invalid. The link arrived in the
 * user's mailbox, so it proves an unproven email. Of several simultaneous uses, one succeeds.
 *
 * Access tokens of a proven account stay, because programs use them: the answer says how many work.
 *
 * Source: SECURITY.md, SEC-14, SEC-15.
 */
export async function resetPassword(
  deps: AccountDeps,
  fields: { token: string; password: string },
  address: string,
): Promise<Result<{ email: string; accessTokens?: number }>> {
  const holder = await readReset(deps, fields.token, address);
  if (!holder.ok) return holder;
  const { accountId, email } = holder.value;
  const password = checkNewPassword(fields.password, holder.value.minPasswordLength);
  if (!password.ok) return password;
  if (isWeak(password.value, email)) return refuse('sign-up/weak');
  const hash = await deps.passwords.hash(password.value);
  const now = deps.now();
  return inTransaction(deps.db, async (tx) => {
    // The account is locked before its tokens, like everywhere that changes both. A concurrent sign-in waits here.
    const [account] = await lockAccounts(tx, [accountId]);
    if (!account || !(await consumeToken(tx, 'reset', fields.token, now))) return refuse('reset/invalid');
    await savePassword(tx, accountId, hash, now);
    await dropUnprovenWaysIn(tx, accountId, now);
    await tx
      .updateTable('accounts')
      .set((eb) => ({
        email_proven_at: eb.fn.coalesce('email_proven_at', eb.val(new Date(now))),
        updated_at: new Date(now),
      }))
      .where('id', '=', accountId)
      .execute();
    await tx.deleteFrom('tokens').where('account_id', '=', accountId).execute();
    await endAllSessions(tx, accountId);
    await audit(tx, { actor: accountId, action: 'reset-password', target: accountId }, now);
    await notify(tx, { about: 'accounts' });
    deps.log.info({ event: 'reset-password', account: accountId, address }, 'A password was reset');
    const accessTokens = await countOf(livingTokensOf(tx, accountId, now));
    return done({ email, ...(accessTokens > 0 && { accessTokens }) });
  });
}

/** Mails the user a link that proves their email, at most three times an hour. Users with a proven email get none. */
export async function requestVerification(
  deps: AccountDeps,
  { account }: Person,
  address: string,
): Promise<Result<{ email: string }>> {
  const { db } = deps;
  const now = deps.now();
  const wait =
    (await consume(db, mailAddressLimit, address, now)) || (await consume(db, mailLimits.verify, account.email, now));
  if (wait > 0) return limited(deps, 'verify-request', address, wait);
  await inTransaction(db, (tx) => deps.mails.enqueue(tx, 'verify', account.email));
  return done({ email: account.email });
}

/**
 * Proves the requester's email. The link alone does not suffice: if someone signs up with another person's address,
 * that person's click on an unrequested mail must not vouch for them. A built-in administrator is proven by the claim
 * link only.
 *
 * Source: SECURITY.md, S2, S3, T20, SEC-14.
 */
export async function verifyEmail(
  deps: AccountDeps,
  { account }: Person,
  token: string,
  address: string,
): Promise<Result<true>> {
  const { db, config, log } = deps;
  const now = deps.now();
  const wait = await consume(db, linkLimit, address, now);
  if (wait > 0) return limited(deps, 'verify', address, wait);
  return inTransaction(db, async (tx) => {
    const holder = await readToken(tx, 'verify', token, now);
    const isTheirs = holder?.accountId === account.id && !config.builtInAdmins.has(holder.email);
    if (!isTheirs || !(await consumeToken(tx, 'verify', token, now))) return refuse('verify/invalid');
    const at = new Date(now);
    await tx
      .updateTable('accounts')
      .set({ email_proven_at: at, updated_at: at })
      .where('id', '=', account.id)
      .where('email_proven_at', 'is', null)
      .execute();
    await audit(tx, { actor: account.id, action: 'verify-email', target: account.id }, now);
    log.info({ event: 'verify-email', account: account.id, address }, 'An email was confirmed');
    return done(true);
  });
}
