import { randomUUID } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import type { Selectable } from 'kysely';
import type { SessionRow } from '../database/account-tables.ts';
import { notify } from '../database/notifications.ts';
import type { Queryable } from '../database/open.ts';
import { prepared } from '../database/prepared.ts';
import type { Person } from './require.ts';
import { type KnownRow, toAccount } from './responses.ts';
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

/** A session as a request found it. */
export type StoredSession = Person & {
  /** Whether whoever asked is to get a new token: `session-rotation.ts`. */
  readonly rotationDue: boolean;
};

/**
 * The person a token belongs to, with role and status as they are now; `undefined` when the session has ended, was
 * idle too long, or its account is gone or marked migrated. For a moment after a change of role the token before is
 * good, too.
 *
 * Source: decisions §2.4, security T9, T12.
 */
export async function readSession(db: Queryable, token: string, now: number): Promise<StoredSession | undefined> {
  const current = await db.executeQuery(byToken(hashToken(token), new Date(now)));
  return current.rows[0] ? hold(db, current.rows[0], now) : readByPrevious(db, token, now);
}

/** As {@link readSession}, for many tokens with one statement; answers in their order. */
export async function readSessions(
  db: Queryable,
  tokens: readonly string[],
  now: number,
): Promise<(StoredSession | undefined)[]> {
  const distinct = [...new Set(tokens)];
  const only = distinct.length === 1 ? distinct[0] : undefined;
  if (only !== undefined) {
    const session = await readSession(db, only, now);
    return tokens.map(() => session);
  }
  const { rows } = await db.executeQuery(byTokens(distinct.map(hashToken), new Date(now)));
  const found = new Map(rows.map((row) => [distinct[row.place - 1], row]));
  const read = async (token: string) => {
    const row = found.get(token);
    return [token, row ? await hold(db, row, now) : await readByPrevious(db, token, now)] as const;
  };
  const sessions = new Map(await Promise.all(distinct.map(read)));
  return tokens.map((token) => sessions.get(token));
}

async function readByPrevious(db: Queryable, token: string, now: number): Promise<StoredSession | undefined> {
  const { rows } = await db.executeQuery(byPreviousToken(hashToken(token), new Date(now)));
  return rows[0] && hold(db, { ...rows[0], rotation_due: false }, now);
}

/** As {@link readSession}, for what outlives a token: an open stream. */
export async function readSessionById(db: Queryable, id: string, now: number): Promise<Person | undefined> {
  const { rows } = await db.executeQuery(byId(id, new Date(now)));
  return rows[0] && hold(db, rows[0], now);
}

type LivingRow = KnownRow &
  Pick<Selectable<SessionRow>, 'last_seen_at' | 'remembered' | 'rotation_due'> & {
    readonly session_id: string;
    readonly has_photo: boolean;
    /** Which of those asked for it is, from 1. */
    readonly place: number;
  };

/**
 * Which session is asked for is `$1`; `$2` is now.
 *
 * The clock may be set back by a day, and nobody is signed out. A session that seems to begin later than that was made
 * while the clock was wrong, and would outlive every limit. Source: security REL-20.
 */
const livingSessions = (which: string, place = '1'): string => `
  select a.id, a.email, a.display_name, a.role, a.status, a.email_proven_at, a.created_at,
    s.id as session_id, s.last_seen_at, s.remembered, s.rotation_due, p.etag is not null as has_photo,
    ${place} as place
  from sessions s join accounts a on a.id = s.account_id left join avatars p on p.account_id = a.id
  where ${which} and s.expires_at > $2 and s.created_at - interval '24 hours' <= $2 and a.migrated_to is null`;

const byToken = prepared<LivingRow>('session by token', livingSessions('s.token_hash = $1'));
const byTokens = prepared<LivingRow>(
  'sessions by tokens',
  livingSessions('s.token_hash = any($1::bytea[])', 'array_position($1::bytea[], s.token_hash)'),
);
const byPreviousToken = prepared<LivingRow>(
  'session by previous token',
  livingSessions('s.previous_hash = $1 and s.previous_until > $2'),
);
const byId = prepared<LivingRow>('session by id', livingSessions('s.id = $1'));

async function hold(db: Queryable, row: LivingRow, now: number): Promise<StoredSession | undefined> {
  const unseenMs = now - row.last_seen_at.getTime();
  if (row.remembered && unseenMs > limits.rememberedIdleMs) return undefined;
  if (Math.abs(unseenMs) > seenEveryMs) await markSeen(db, row.session_id, now);
  return {
    account: toAccount(row),
    sessionId: row.session_id,
    hasPhoto: row.has_photo,
    rotationDue: row.rotation_due,
  };
}

async function markSeen(db: Queryable, id: string, now: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: new Date(now) })
    .where('id', '=', id)
    .execute();
}

/**
 * Ends the session of a token, or of the token it had before: a browser that asks for the end gets it. Streams that it
 * opened close.
 *
 * @returns whose it was
 */
export async function endSession(db: Queryable, token: string): Promise<string | undefined> {
  const hash = hashToken(token);
  const row = await db
    .deleteFrom('sessions')
    .where((e) => e.or([e('token_hash', '=', hash), e('previous_hash', '=', hash)]))
    .returning('account_id')
    .executeTakeFirst();
  if (row) await notify(db, { about: 'session', accountId: row.account_id });
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
