import { randomUUID } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import type { Selectable } from 'kysely';
import type { SessionRow } from '../database/account-tables.ts';
import { notify } from '../database/notifications.ts';
import { prepared, type Queryable } from '../database/open.ts';
import type { Person } from './require.ts';
import { type KnownRow, toAccount } from './responses.ts';
import { hashToken, newToken } from './tokens.ts';

/** How often a session's last use is written to the database. */
const seenEveryMs = 5 * 60_000;

/** @returns the token for the cookie, which nothing else contains */
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
type StoredSession = Person & {
  /** Whether the requester is to get a new token: see `session-rotation.ts`. */
  readonly rotationDue: boolean;
};

/**
 * The user of a token, with the current role and status; `undefined` if the session has ended, was unused too long, or
 * its account was deleted or marked as migrated. Shortly after a change of role, the previous token is valid as well.
 *
 * Source: SECURITY.md, T9, T12.
 */
export async function readSession(db: Queryable, token: string, now: number): Promise<StoredSession | undefined> {
  const current = await db.executeQuery(byToken(hashToken(token), new Date(now)));
  return current.rows[0] ? hold(db, current.rows[0], now) : readByPrevious(db, token, now);
}

/** Like {@link readSession}, for many tokens in one statement; results in their order. */
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

/** Like {@link readSession}, for an open stream, which outlives a token. */
export async function readSessionById(db: Queryable, id: string, now: number): Promise<Person | undefined> {
  const { rows } = await db.executeQuery(byId(id, new Date(now)));
  return rows[0] && hold(db, rows[0], now);
}

type LivingRow = KnownRow &
  Pick<Selectable<SessionRow>, 'last_seen_at' | 'remembered' | 'rotation_due'> & {
    readonly session_id: string;
    readonly has_photo: boolean;
    /** The position of the requested session, from 1. */
    readonly place: number;
  };

/**
 * `$1` is the requested session, `$2` the current time.
 *
 * If the clock is set back by up to a day, nobody is signed out. A session that seems to begin later than that was
 * created while the clock was wrong, and would outlive every limit. Source: SECURITY.md, REL-20.
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
 * Ends the session of a token, or of its previous token: a sign-out always succeeds. Its streams
 * close.
 *
 * @returns its user
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

/** Ends all sessions of an account, and their open streams. */
export async function endAllSessions(tx: Queryable, accountId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
  await notify(tx, { about: 'session', accountId });
}

/** How long the previous token stays valid after a change of role: a page has several requests under way. */
const graceMs = 30_000;

/** A session's new token, for the cookie. */
export type Rotated = { readonly token: string; readonly remembered: boolean };

/** Continues the session under a new token; earlier ones become invalid. Source: SECURITY.md, T9. */
export async function rotateSession(db: Queryable, id: string): Promise<Rotated | undefined> {
  const token = newToken();
  const row = await db
    .updateTable('sessions')
    .set({ token_hash: hashToken(token), previous_hash: null, previous_until: null, rotation_due: false })
    .where('id', '=', id)
    .returning('remembered')
    .executeTakeFirst();
  return row && { token, remembered: row.remembered };
}

/** Marks a user's sessions for new tokens, which their next requests receive: {@link rotateIfDue}. */
export async function rotateSoon(tx: Queryable, accountId: string): Promise<void> {
  await tx.updateTable('sessions').set({ rotation_due: true }).where('account_id', '=', accountId).execute();
}

/**
 * The new token of a session whose user's role has changed. Of several simultaneous requests one receives it. The
 * others sent the same old token, which still finds their session for half a minute.
 *
 * Source: SECURITY.md, T9; docs/decisions/008-session-token-rotation-after-role-changes.md
 */
export async function rotateIfDue(
  db: Queryable,
  session: StoredSession,
  token: string,
  now: number,
): Promise<Rotated | undefined> {
  if (!session.rotationDue) return undefined;
  const fresh = newToken();
  const row = await db
    .updateTable('sessions')
    .set((e) => ({
      token_hash: hashToken(fresh),
      previous_hash: e.ref('token_hash'),
      previous_until: new Date(now + graceMs),
      rotation_due: false,
    }))
    .where('id', '=', session.sessionId)
    .where('token_hash', '=', hashToken(token))
    .where('rotation_due', '=', true)
    .returning('remembered')
    .executeTakeFirst();
  return row && { token: fresh, remembered: row.remembered };
}
