import { done, type Refusal, type Result, refuse } from '@kc/rules/result';
import { admission } from '@kc/rules/settings';
import { checkSignIn, checkSignUp, type SignUp } from '@kc/rules/sign-in';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import { forgetUses, spend } from '../http/rate-limits.ts';
import { auditRefusal } from './audit-refusal.ts';
import { mayDisclose, signInAddressLimit, signInLimit, signUpGlobalLimit, signUpLimit } from './limits.ts';
import type { AccountParts } from './parts.ts';
import { isWeak } from './password-strength.ts';
import { accountByEmail, insertAccount, markSignedIn, passwordHash, savePassword } from './queries.ts';
import { endSession, startSession } from './sessions.ts';
import { holdSettings } from './settings.ts';

export type SignIn = { readonly email: string; readonly password: string; readonly remember: boolean };

/**
 * Checks a password and starts a session under a fresh token; the one the browser held before ends.
 *
 * A denied or pending person signs in, too: what they may do is another question.
 * Source: spec §5 "Login", decisions §2.4 and §2.10, security T7–T9.
 *
 * @param from the asker's address and the session token they hold already
 * @returns the new session's token
 */
export async function signIn(
  parts: AccountParts,
  fields: SignIn,
  from: { address: string; token: string | undefined },
): Promise<Result<{ token: string; accountId: string }>> {
  const checked = checkSignIn(fields);
  if (!checked.ok) return checked;
  const { email, password } = checked.value;
  const { db, log, passwords } = parts;
  const now = parts.now();
  const pair = `${email} ${from.address}`;
  const wait = (await spend(db, signInAddressLimit, from.address, now)) || (await spend(db, signInLimit, pair, now));
  if (wait > 0) return limited(parts, 'sign-in', from.address, wait);

  const account = await accountByEmail(db, email);
  const stored = account && (await passwordHash(db, account.id));
  if (!(await passwords.verify(stored, password)) || !account || !stored) {
    log.info({ event: 'sign-in', result: 'refused', account: account?.id, address: from.address }, 'Sign-in refused');
    const line = { actor: 'anyone', action: 'sign-in', target: account?.id ?? 'unknown' } as const;
    await auditRefusal(parts, line, from.address);
    return { ok: false, refusal: await whyNot(parts, email, account !== undefined, from.address) };
  }
  const fresh = passwords.isOutdated(stored) ? await passwords.hash(password) : undefined;
  const token = await inTransaction(db, async (tx) => {
    if (!(await markSignedIn(tx, account.id, now))) return undefined;
    if (fresh) await savePassword(tx, account.id, fresh, now);
    if (from.token) await endSession(tx, from.token);
    await audit(tx, { actor: account.id, action: 'sign-in', target: account.id }, now);
    return startSession(tx, account.id, fields.remember, now);
  });
  if (!token) return refuse('sign-in/wrong-password');
  await forgetUses(db, signInLimit, pair);
  log.info({ event: 'sign-in', result: 'ok', account: account.id, address: from.address }, 'Signed in');
  return done({ token, accountId: account.id });
}

/** A built-in admin's email is never confirmed or denied to a stranger. */
async function whyNot(parts: AccountParts, email: string, known: boolean, address: string): Promise<Refusal> {
  if (known || parts.config.builtInAdmins.has(email)) return { code: 'sign-in/wrong-password' };
  const disclosed = await mayDisclose(parts.db, parts.config, address, parts.now());
  return { code: disclosed ? 'sign-in/not-found' : 'sign-in/wrong-password' };
}

export type SignedUp = { readonly email: string; readonly isApproved: boolean };

/**
 * Makes an account with a password, pending unless the registration policy says otherwise. Nobody is signed in by it.
 *
 * Source: spec §5 "Sign-up", decisions §3, security T1–T6.
 */
export async function signUp(parts: AccountParts, fields: SignUp, address: string): Promise<Result<SignedUp>> {
  const checked = checkSignUp(fields);
  if (!checked.ok) return checked;
  const { email, password, displayName } = checked.value;
  if (isWeak(password, email)) return refuse('sign-up/weak');
  const { db, log } = parts;
  const now = parts.now();
  const wait = (await spend(db, signUpLimit, address, now)) || (await spend(db, signUpGlobalLimit, '', now));
  if (wait > 0) return limited(parts, 'sign-up', address, wait);

  const hash = await parts.passwords.hash(password);
  const admitted = await inTransaction(db, async (tx) => {
    const status = admission(await holdSettings(tx));
    if (!status.ok) return status;
    const made = await insertAccount(tx, { email, displayName, status: status.value }, now);
    if (!made) return done(undefined);
    await savePassword(tx, made.id, hash, now);
    await parts.mails.ask(tx, 'verify', email);
    await audit(tx, { actor: made.id, action: 'sign-up', target: made.id, details: { status: made.status } }, now);
    await notify(tx, { about: 'accounts' });
    return done(made);
  });
  if (!admitted.ok) {
    log.info({ event: 'sign-up', result: 'refused', address }, 'Sign-up while registration is closed');
    await auditRefusal(parts, { actor: 'anyone', action: 'sign-up', target: 'unknown' }, address);
    return admitted;
  }
  const account = admitted.value;
  log.info({ event: 'sign-up', result: account ? 'ok' : 'refused', account: account?.id, address }, 'Sign-up');
  if (account) return done({ email, isApproved: account.status === 'approved' });
  // Saying that an email is taken tells as much as saying that it is not: both draw on one budget.
  const disclosed = parts.config.strictEnumeration || (await mayDisclose(db, parts.config, address, now));
  return disclosed ? refuse('sign-up/in-use') : limited(parts, 'sign-up', address, 3600);
}

/** The answer to one use too many, and its line in the logs. */
export async function limited(
  parts: AccountParts,
  what: string,
  address: string,
  seconds: number,
): Promise<{ ok: false; refusal: Refusal }> {
  parts.log.warn({ event: 'rate-limit', what, address }, 'Rate limit reached');
  await auditRefusal(parts, { actor: 'anyone', action: 'rate-limit', target: what }, address);
  return refuse('sign-in/too-many', { seconds });
}
