import { randomBytes } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import { done, type Result, refuse } from '@kc/rules/result';
import { audit } from '../database/audit.ts';
import { type Db, findsRow, inTransaction, type Queryable, type Tx } from '../database/open.ts';
import { consume, forgetUses } from '../http/rate-limits.ts';
import type { AccountDeps } from './deps.ts';
import { auditRefusal, signInLimit } from './limits.ts';
import { passwordHash } from './queries.ts';
import type { Person } from './require.ts';
import { rotateSession } from './sessions.ts';
import { limited } from './sign-in.ts';
import { consumeToken, hashToken, insertToken, newToken } from './tokens.ts';

/**
 * A handle that confirms that this session entered its password a moment ago. 128 bits, valid for ten minutes, useless
 * for other sessions. The session's earlier handle ends.
 *
 * Source: SECURITY.md, S6.
 *
 * @returns the handle, of which the database stores the hash; `undefined` if the session has ended
 */
export function issueStepUp(db: Db, person: Person, now: number): Promise<string | undefined> {
  return inTransaction(db, (tx) => renewHandle(tx, person, now));
}

/** As {@link issueStepUp}, inside a transaction. */
export async function renewHandle(tx: Tx, person: Person, now: number): Promise<string | undefined> {
  if (!(await holdSession(tx, person))) return undefined;
  const handle = randomBytes(16).toString('base64url');
  await tx.deleteFrom('tokens').where('session_id', '=', person.sessionId).where('purpose', '=', 'step-up').execute();
  await insertToken(tx, person, { token: handle, purpose: 'step-up', lifeMs: limits.stepUpMs }, now);
  return handle;
}

/** Whether the session exists. It is locked until the transaction ends, so that a token can refer to it. */
export async function holdSession(tx: Tx, { sessionId }: Person): Promise<boolean> {
  return findsRow(tx.selectFrom('sessions').select('id').where('id', '=', sessionId).forKeyShare());
}

/**
 * Verifies the password again, for a new handle. The session continues under a new token, so a copy of the old cookie
 * becomes useless.
 *
 * Source: SECURITY.md, S6, T7, T9.
 */
export async function stepUp(
  deps: AccountDeps,
  person: Person,
  password: string,
  address: string,
): Promise<Result<{ stepUp: string; token: string; remembered: boolean }>> {
  const { db, log } = deps;
  const now = deps.now();
  const { id, email } = person.account;
  const pair = `${email} ${address}`;
  const wait = await consume(db, signInLimit, pair, now);
  if (wait > 0) return limited(deps, 'step-up', address, wait);
  const right =
    password.length <= limits.maxPasswordLength &&
    (await deps.passwords.verify(await passwordHash(db, id), password, true));
  log.info({ event: 'step-up', result: right ? 'ok' : 'refused', account: id, address }, 'Password re-entered');
  if (!right) {
    await auditRefusal(deps, { actor: id, action: 'step-up', target: id }, address);
    return refuse('sign-in/wrong-password');
  }
  await audit(db, { actor: id, action: 'step-up', target: id }, now);
  await forgetUses(db, signInLimit, pair);
  return inTransaction(db, async (tx) => {
    const rotated = await rotateSession(tx, person.sessionId);
    const handle = await renewHandle(tx, person, now);
    return rotated && handle ? done({ stepUp: handle, ...rotated }) : refuse('session/required');
  });
}

/**
 * Issues a token for one deletion to a session with a valid step-up handle: for 60 seconds, for one use, for this session and purpose only.
 * The handle stays valid.
 *
 * Source: SECURITY.md, S7, SEC-14.
 */
export async function mintIdToken(db: Db, person: Person, handle: string, now: number): Promise<Result<string>> {
  return inTransaction(db, async (tx) => {
    if (!(await holdSession(tx, person))) return refuse('session/required');
    const found = await tx
      .selectFrom('tokens')
      .select('token_hash')
      .where('token_hash', '=', hashToken(handle))
      .where('purpose', '=', 'step-up')
      .where('account_id', '=', person.account.id)
      .where('session_id', '=', person.sessionId)
      .where('expires_at', '>', new Date(now))
      .executeTakeFirst();
    if (!found) return refuse('step-up/required');
    const token = newToken();
    await insertToken(tx, person, { token, purpose: 'forceDelete', lifeMs: limits.idTokenMs }, now);
    return done(token);
  });
}

/** Consumes an ID token. Of several simultaneous uses, one succeeds. */
export async function consumeIdToken(db: Queryable, person: Person, token: string, now: number): Promise<Result<true>> {
  const spent = await consumeToken(db, 'forceDelete', token, now, person);
  return spent ? done(true) : refuse('step-up/required');
}
