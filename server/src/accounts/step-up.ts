import { randomBytes } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import { done, type Result, refuse } from '@kc/rules/result';
import type { Transaction } from 'kysely';
import { audit } from '../database/audit.ts';
import { type Db, inTransaction, type Queryable } from '../database/open.ts';
import type { Database } from '../database/schema.ts';
import { consume, forgetUses } from '../http/rate-limits.ts';
import { auditRefusal } from './audit-refusal.ts';
import type { AccountDeps } from './deps.ts';
import { signInLimit } from './limits.ts';
import { passwordHash } from './queries.ts';
import type { Person } from './require.ts';
import { rotateSession } from './session-rotation.ts';
import { limited } from './sign-in.ts';
import { hashToken, newToken } from './tokens.ts';

/**
 * A handle that says: this session gave its password a moment ago. 128 bits, ten minutes, of no use to another session;
 * the session's earlier one ends.
 *
 * Source: spec §9 `admin_temp_pass` in the form of decisions §2.6, security S6.
 *
 * @returns the handle, of which the database holds the hash; `undefined` when the session has ended
 */
export function issueStepUp(db: Db, person: Person, now: number): Promise<string | undefined> {
  return inTransaction(db, (tx) => renewHandle(tx, person, now));
}

/** {@link issueStepUp} inside a transaction. */
export async function renewHandle(tx: Transaction<Database>, person: Person, now: number): Promise<string | undefined> {
  if (!(await holdSession(tx, person))) return undefined;
  const handle = randomBytes(16).toString('base64url');
  await tx.deleteFrom('tokens').where('session_id', '=', person.sessionId).where('purpose', '=', 'step-up').execute();
  await insertToken(tx, person, { token: handle, purpose: 'step-up', lifeMs: limits.stepUpMs }, now);
  return handle;
}

/** Whether the session is there; it stays until the transaction ends, so that a token of it can be kept. */
export async function holdSession(tx: Transaction<Database>, { sessionId }: Person): Promise<boolean> {
  const held = await tx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .forKeyShare()
    .executeTakeFirst();
  return held !== undefined;
}

/**
 * The password once more, for a new handle. The session goes on under a new token: who holds a copy of the old cookie
 * has nothing of it.
 *
 * Source: security S6, T7, T9.
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
  log.info({ event: 'step-up', result: right ? 'ok' : 'refused', account: id, address }, 'Password asked again');
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
 * A token for one deletion, against the session's step-up handle: 60 seconds, once, for this session and purpose only.
 *
 * Source: security S7, SEC-14.
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

/** Uses an id token up. Of any number of uses at once, one succeeds. */
export async function consumeIdToken(db: Queryable, person: Person, token: string, now: number): Promise<Result<true>> {
  const spent = await consumeSessionToken(db, person, { token, purpose: 'forceDelete' }, now);
  return spent ? done(true) : refuse('step-up/required');
}

/** Whether this use of a token of the session is the one that succeeds. */
export async function consumeSessionToken(
  db: Queryable,
  person: Person,
  { token, purpose }: Pick<NewToken, 'token' | 'purpose'>,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ used_at: new Date(now) })
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('account_id', '=', person.account.id)
    .where('session_id', '=', person.sessionId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

type NewToken = {
  readonly token: string;
  readonly purpose: 'step-up' | 'forceDelete' | 'issuer';
  readonly lifeMs: number;
};

/** A token for this session alone. */
export async function insertToken(db: Queryable, person: Person, made: NewToken, now: number): Promise<void> {
  await db
    .insertInto('tokens')
    .values({
      token_hash: hashToken(made.token),
      purpose: made.purpose,
      account_id: person.account.id,
      session_id: person.sessionId,
      created_at: new Date(now),
      expires_at: new Date(now + made.lifeMs),
    })
    .execute();
}
