import { randomUUID } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import { notify } from '../database/notifications.ts';
import type { Queryable } from '../database/open.ts';
import { toAccount } from './present.ts';
import type { Person } from './require.ts';
import { hashToken, newToken } from './tokens.ts';

/** How long a session goes on unseen before it is written down that it was seen. */
const seenEveryMs = 5 * 60_000;

/** @returns the token for the cookie, which is told to nobody else */
export async function startSession(
  db: Queryable,
  accountId: string,
  remembered: boolean,
  now: number,
): Promise<string> {
  const token = newToken();
  const life = remembered ? limits.rememberedSessionMs : limits.sessionMs;
  await db
    .insertInto('sessions')
    .values({
      id: randomUUID(),
      token_hash: hashToken(token),
      account_id: accountId,
      remembered,
      created_at: new Date(now),
      last_seen_at: new Date(now),
      expires_at: new Date(now + life),
    })
    .execute();
  return token;
}

/**
 * The person a token belongs to, with role and status as they are now; `undefined` when the session has ended, was
 * idle too long, or its account is gone or marked migrated.
 *
 * Source: decisions §2.4, security T12.
 */
export async function readSession(db: Queryable, token: string, now: number): Promise<Person | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .selectAll('accounts')
    .select(['sessions.id as session_id', 'sessions.last_seen_at', 'sessions.remembered'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', new Date(now))
    .where('migrated_to', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const unseenMs = now - row.last_seen_at.getTime();
  if (row.remembered && unseenMs > limits.rememberedIdleMs) return undefined;
  if (unseenMs > seenEveryMs) await markSeen(db, row.session_id, now);
  return { account: toAccount(row), sessionId: row.session_id };
}

/** The session goes on under a fresh token; the earlier one is worth nothing from here on. Source: security T9. */
export async function rotateSession(
  db: Queryable,
  id: string,
): Promise<{ token: string; remembered: boolean } | undefined> {
  const token = newToken();
  const row = await db
    .updateTable('sessions')
    .set({ token_hash: hashToken(token) })
    .where('id', '=', id)
    .returning('remembered')
    .executeTakeFirst();
  return row && { token, remembered: row.remembered };
}

async function markSeen(db: Queryable, id: string, now: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: new Date(now) })
    .where('id', '=', id)
    .execute();
}

/** @returns whose it was */
export async function endSession(db: Queryable, token: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('sessions')
    .where('token_hash', '=', hashToken(token))
    .returning('account_id')
    .executeTakeFirst();
  return row?.account_id;
}

/** Ends every session of an account, and their open streams. */
export async function endAllSessions(tx: Queryable, accountId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
  await notify(tx, { about: 'session', accountId });
}

export async function forgetExpiredSessions(db: Queryable, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', new Date(now)).execute();
}
