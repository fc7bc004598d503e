import { done, type Refusal, type Result, refuse } from '@kc/rules/result';
import { checkSignIn } from '@kc/rules/sign-in';
import { audit } from '../database/audit.ts';
import { inTransaction } from '../database/open.ts';
import { consume, forgetUses, type Wait } from '../http/rate-limits.ts';
import type { AccountDeps } from './deps.ts';
import { createKnownDevices } from './known-devices.ts';
import {
  auditRefusal,
  mayDisclose,
  signInAccountLimit,
  signInAddressLimit,
  signInGlobalLimit,
  signInLimit,
} from './limits.ts';
import { credentialByEmail, markSignedIn, passwordHash, savePassword } from './queries.ts';
import { endSession, startSession } from './sessions.ts';

type SignIn = { readonly email: string; readonly password: string; readonly remember: boolean };

/** The requester's address, current session token, and device cookie. */
type From = {
  readonly address: string;
  readonly token: string | undefined;
  readonly device: string | undefined;
};

/**
 * Verifies a password and starts a session under a new token; the browser's previous one ends.
 *
 * Denied and pending users can sign in as well: what they may do is a separate question. In a browser known for this
 * email, other people's attempts cause no delay, neither in the queue nor by a limit. Source: SECURITY.md, T7–T9,
 * REL-31.
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

  // From here on, the work is the same whether or not the account exists, and whether or not it has a password.
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
    // The row is locked now. Verifying took a while, in which a reset may have set another password.
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

/**
 * Counts an attempt in a browser unknown for this email. The widest limit is last, so that no account exhausts it
 * alone.
 */
async function consumeOnStrangers({ db, now }: AccountDeps, email: string, { address }: From): Promise<Wait> {
  return (
    (await consume(db, signInAddressLimit, address, now())) ||
    (await consume(db, signInAccountLimit, email, now())) ||
    (await consume(db, signInGlobalLimit, '', now()))
  );
}

/** A built-in administrator's email is never confirmed or denied to strangers. */
async function whyNot(deps: AccountDeps, email: string, known: boolean, address: string): Promise<Refusal> {
  const hidden = known || deps.config.builtInAdmins.has(email);
  const disclosed = await mayDisclose(deps.db, deps.config, address, deps.now(), hidden);
  return { code: disclosed ? 'sign-in/not-found' : 'sign-in/wrong-password' };
}

/** The refusal of one attempt too many, and its line in the logs. */
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
