import { done, type Result, refuse } from '@kc/rules/result';
import { audit } from '../database/audit.ts';
import { inTransaction } from '../database/open.ts';
import { consume } from '../http/rate-limits.ts';
import type { AccountDeps } from './deps.ts';
import { linkLimit, mailAddressLimit, mailLimits } from './limits.ts';
import type { Person } from './require.ts';
import { limited } from './sign-in.ts';
import { consumeToken, readToken } from './tokens.ts';

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
  await inTransaction(db, (tx) => deps.mails.ask(tx, 'verify', account.email));
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
