import { done, type Refusal, type Result, refuse } from '@kc/rules/result';
import { checkSignIn, checkSignUp, type SignUp } from '@kc/rules/sign-in';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import { forgetUses, spend } from '../http/rate-limits.ts';
import { mayDisclose, signInAddressLimit, signInLimit, signUpGlobalLimit, signUpLimit } from './limits.ts';
import type { AccountParts } from './parts.ts';
import { isWeak } from './password-strength.ts';
import { accountByEmail, insertAccount, markSignedIn, passwordHash, savePassword } from './queries.ts';
import { endSession, startSession } from './sessions.ts';

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
    return { ok: false, refusal: await whyNot(parts, email, account !== undefined, from.address) };
  }
  const fresh = passwords.isOutdated(stored) ? await passwords.hash(password) : undefined;
  const token = await inTransaction(db, async (tx) => {
    if (fresh) await savePassword(tx, account.id, fresh, now);
    if (from.token) await endSession(tx, from.token);
    await markSignedIn(tx, account.id, now);
    return startSession(tx, account.id, fields.remember, now);
  });
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

/**
 * Makes a pending account with a password. Nobody is signed in by it.
 *
 * Source: spec §5 "Sign-up", security T1–T6.
 */
export async function signUp(parts: AccountParts, fields: SignUp, address: string): Promise<Result<{ email: string }>> {
  const checked = checkSignUp(fields);
  if (!checked.ok) return checked;
  const { email, password, displayName } = checked.value;
  if (isWeak(password, email)) return refuse('sign-up/weak');
  const { db, log } = parts;
  const now = parts.now();
  const wait = (await spend(db, signUpLimit, address, now)) || (await spend(db, signUpGlobalLimit, '', now));
  if (wait > 0) return limited(parts, 'sign-up', address, wait);

  const hash = await parts.passwords.hash(password);
  const account = await inTransaction(db, async (tx) => {
    const made = await insertAccount(tx, { email, displayName }, now);
    if (!made) return undefined;
    await savePassword(tx, made.id, hash, now);
    await notify(tx, { about: 'accounts' });
    return made;
  });
  log.info({ event: 'sign-up', result: account ? 'ok' : 'refused', account: account?.id, address }, 'Sign-up');
  if (account) return done({ email });
  // Saying that an email is taken tells as much as saying that it is not: both draw on one budget.
  const disclosed = parts.config.strictEnumeration || (await mayDisclose(db, parts.config, address, now));
  return disclosed ? refuse('sign-up/in-use') : limited(parts, 'sign-up', address, 3600);
}

/** The answer to one use too many, and its line in the log. */
export function limited(
  parts: AccountParts,
  what: string,
  address: string,
  seconds: number,
): { ok: false; refusal: Refusal } {
  parts.log.warn({ event: 'rate-limit', what, address }, 'Rate limit reached');
  return refuse('sign-in/too-many', { seconds });
}
