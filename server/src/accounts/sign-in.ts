import { done, type Refusal, type Result, refuse } from '@kc/rules/result';
import { checkSignIn } from '@kc/rules/sign-in';
import { audit } from '../database/audit.ts';
import { inTransaction } from '../database/open.ts';
import { consume, forgetUses, type Wait } from '../http/rate-limits.ts';
import { auditRefusal } from './audit-refusal.ts';
import type { AccountDeps } from './deps.ts';
import { createKnownDevices } from './known-devices.ts';
import { mayDisclose, signInAccountLimit, signInAddressLimit, signInGlobalLimit, signInLimit } from './limits.ts';
import { credentialByEmail, markSignedIn, passwordHash, savePassword } from './queries.ts';
import { endSession, startSession } from './sessions.ts';

export type SignIn = { readonly email: string; readonly password: string; readonly remember: boolean };

/** Where somebody signs in from: their address, the session token they hold already, and what the browser is known by. */
export type From = {
  readonly address: string;
  readonly token: string | undefined;
  readonly device: string | undefined;
};

/**
 * Checks a password and starts a session under a fresh token; the one the browser held before ends.
 *
 * A denied or pending person signs in, too: what they may do is another question. Somebody in a browser that is known for
 * this email is kept waiting by nobody else's tries, neither for their turn nor by a limit.
 * Source: spec §5 "Login", decisions §2.4 and §2.10, security T7–T9, REL-31.
 *
 * @returns the new session's token
 */
export async function signIn(
  deps: AccountDeps,
  fields: SignIn,
  from: From,
): Promise<Result<{ token: string; accountId: string }>> {
  const checked = checkSignIn(fields);
  if (!checked.ok) return checked;
  const { email, password } = checked.value;
  const { db, log, passwords } = deps;
  const now = deps.now();
  const device = createKnownDevices(deps.secret).nameFor(email, from.device);
  const pair = `${email} ${device ?? from.address}`;
  const wait =
    (await consume(db, signInLimit, pair, now)) || (device ? 0 : await consumeOnStrangers(deps, email, from));
  if (wait > 0) return limited(deps, 'sign-in', from.address, wait);

  // What follows is the same work whether or not there is such an account, and whether or not it has a password.
  const { account, stored } = await credentialByEmail(db, email);
  if (!(await passwords.verify(stored, password, device !== undefined)) || !account || !stored) {
    log.info({ event: 'sign-in', result: 'refused', account: account?.id, address: from.address }, 'Sign-in refused');
    const line = { actor: 'anyone', action: 'sign-in', target: account?.id ?? 'unknown' } as const;
    await auditRefusal(deps, line, from.address);
    return { ok: false, refusal: await whyNot(deps, email, account !== undefined, from.address) };
  }
  const fresh = passwords.isOutdated(stored) ? await passwords.hash(password) : undefined;
  const token = await inTransaction(db, async (tx) => {
    if (!(await markSignedIn(tx, account.id, now))) return undefined;
    // The row is locked now. Checking took a while, in which a reset may have made another password the right one.
    if ((await passwordHash(tx, account.id)) !== stored) return undefined;
    if (fresh) await savePassword(tx, account.id, fresh, now);
    if (from.token) await endSession(tx, from.token);
    await audit(tx, { actor: account.id, action: 'sign-in', target: account.id }, now);
    return startSession(tx, account.id, fields.remember, now);
  });
  if (!token) return signIn(deps, fields, from);
  await forgetUses(db, signInLimit, pair);
  log.info({ event: 'sign-in', result: 'ok', account: account.id, address: from.address }, 'Signed in');
  return done({ token, accountId: account.id });
}

/** Counts a try in a browser that is not known for this email. The widest limit is last, so that none drains it alone. */
async function consumeOnStrangers({ db, now }: AccountDeps, email: string, { address }: From): Promise<Wait> {
  return (
    (await consume(db, signInAddressLimit, address, now())) ||
    (await consume(db, signInAccountLimit, email, now())) ||
    (await consume(db, signInGlobalLimit, '', now()))
  );
}

/** A built-in admin's email is never confirmed or denied to a stranger. */
async function whyNot(deps: AccountDeps, email: string, known: boolean, address: string): Promise<Refusal> {
  const hidden = known || deps.config.builtInAdmins.has(email);
  const disclosed = await mayDisclose(deps.db, deps.config, address, deps.now(), hidden);
  return { code: disclosed ? 'sign-in/not-found' : 'sign-in/wrong-password' };
}

/** The answer to one use too many, and its line in the logs. */
export async function limited(
  deps: AccountDeps,
  what: string,
  address: string,
  seconds: number,
): Promise<{ ok: false; refusal: Refusal }> {
  deps.log.warn({ event: 'rate-limit', what, address }, 'Rate limit reached');
  await auditRefusal(deps, { actor: 'anyone', action: 'rate-limit', target: what }, address);
  return refuse('sign-in/too-many', { seconds });
}
