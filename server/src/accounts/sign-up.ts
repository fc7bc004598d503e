import { done, type Result, refuse } from '@kc/rules/result';
import { admission } from '@kc/rules/settings';
import type { CheckChallenge, CheckProof } from '@kc/rules/shapes';
import { checkSignUp, type SignUp } from '@kc/rules/sign-in';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import { consume } from '../http/rate-limits.ts';
import type { AccountDeps } from './deps.ts';
import {
  auditRefusal,
  mayRevealTaken,
  needsProof,
  signUpCheckLimit,
  signUpGlobalLimit,
  signUpLimit,
} from './limits.ts';
import { isWeak } from './passwords.ts';
import { insertAccount, isRoomToWait, savePassword } from './queries.ts';
import { holdSettings } from './settings.ts';
import { limited } from './sign-in.ts';

type SignedUp = { readonly email: string; readonly isApproved: boolean };

/**
 * Creates an account with a password, pending unless the registration policy says otherwise. Does not sign in.
 *
 * When sign-ups are frequent, `sign-up/check-needed` requests a proof of {@link signUpCheck}'s work along with the
 * fields.
 *
 * Source: SECURITY.md, T1–T6.
 */
export async function signUp(
  deps: AccountDeps,
  fields: SignUp & { readonly proof?: CheckProof | undefined },
  address: string,
): Promise<Result<SignedUp>> {
  const checked = checkSignUp(fields);
  if (!checked.ok) return checked;
  const { email, password, displayName } = checked.value;
  if (isWeak(password, email)) return refuse('sign-up/weak');
  const { db, log } = deps;
  const now = deps.now();
  if (!(await passesBotCheck(deps, fields.proof, address))) return refuse('sign-up/check-needed');
  const wait = (await consume(db, signUpLimit, address, now)) || (await consume(db, signUpGlobalLimit, '', now));
  if (wait > 0) return limited(deps, 'sign-up', address, wait);

  const hash = await deps.passwords.hash(password);
  const admitted = await inTransaction(db, async (tx) => {
    const status = admission(await holdSettings(tx));
    if (!status.ok) return status;
    if (status.value === 'pending' && !(await isRoomToWait(tx))) return refuse('sign-up/full');
    const made = await insertAccount(tx, { email, displayName, status: status.value }, now);
    if (!made) return done(undefined);
    await savePassword(tx, made.id, hash, now);
    await deps.mails.enqueue(tx, 'verify', email);
    await audit(tx, { actor: made.id, action: 'sign-up', target: made.id, details: { status: made.status } }, now);
    if (made.status === 'pending') await deps.announce(tx, { event: 'user.pending', accountId: made.id });
    await notify(tx, { about: 'accounts' });
    return done(made);
  });
  if (!admitted.ok) {
    const { code } = admitted.refusal;
    log.info({ event: 'sign-up', result: 'refused', code, address }, 'Sign-up refused');
    await auditRefusal(deps, { actor: 'anyone', action: 'sign-up', target: 'unknown', details: { code } }, address);
    return admitted;
  }
  const account = admitted.value;
  log.info({ event: 'sign-up', result: account ? 'ok' : 'refused', account: account?.id, address }, 'Sign-up');
  if (account) return done({ email, isApproved: account.status === 'approved' });
  // Saying that an email is taken reveals as much as saying that it is not: both use one budget.
  return (await mayRevealTaken(db, address, now)) ? refuse('sign-up/in-use') : limited(deps, 'sign-up', address, 3600);
}

/**
 * Browsers can do the work in secure contexts only. If this server uses plain http (`ALLOW_HTTP`), the budgets have to
 * suffice.
 */
async function passesBotCheck(
  { botCheck, config, db, now }: AccountDeps,
  proof: CheckProof | undefined,
  address: string,
): Promise<boolean> {
  if (!config.secureContext) return true;
  return proof ? botCheck.accept(proof, address) : !(await needsProof(db, address, now()));
}

/** The proof of work that frequent sign-ups must include. */
export async function signUpCheck(deps: AccountDeps, address: string): Promise<Result<CheckChallenge>> {
  const wait = await consume(deps.db, signUpCheckLimit, address, deps.now());
  return wait > 0 ? limited(deps, 'sign-up', address, wait) : done(await deps.botCheck.challenge(address));
}
