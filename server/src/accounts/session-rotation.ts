import type { Queryable } from '../database/open.ts';
import type { StoredSession } from './sessions.ts';
import { hashToken, newToken } from './tokens.ts';

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
