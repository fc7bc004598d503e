import type { Queryable } from '../database/open.ts';
import type { StoredSession } from './sessions.ts';
import { hashToken, newToken } from './tokens.ts';

/** How long the token before goes on after a change of role: requests of one page are on their way together. */
const graceMs = 30_000;

/** A session's new token, for the cookie. */
export type Rotated = { readonly token: string; readonly remembered: boolean };

/** The session goes on under a fresh token; the earlier ones are worth nothing from here on. Source: security T9. */
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

/** From their next requests on, a person's sessions go on under new tokens: {@link rotateIfDue}. */
export async function rotateSoon(tx: Queryable, accountId: string): Promise<void> {
  await tx.updateTable('sessions').set({ rotation_due: true }).where('account_id', '=', accountId).execute();
}

/**
 * The new token of a session whose holder's role has changed. Of any number of requests at once one gets it; the others
 * came with the same token as that one and still find their session by it, for half a minute.
 *
 * Source: security T9; docs/decisions/008-session-token-rotation-after-role-changes.md
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
