import type { Queryable } from '../database/open.ts';
import { onlineAccounts } from './events.ts';
import type { AccountContext } from './responses.ts';

/**
 * Looks up, for each account ID, what a response says in addition to the account's row: presence and photo. `busy` while an
 * upload that the user started is sent or processed, otherwise `online` while one of their event streams is open.
 */
export async function readAccountContext(db: Queryable, now: number): Promise<(id: string) => AccountContext> {
  const [online, busy, pictures] = await Promise.all([
    onlineAccounts(db, now),
    busyAccounts(db, now),
    db.selectFrom('avatars').select('account_id').where('picture', 'is not', null).execute(),
  ]);
  const withPicture = new Set(pictures.map((row) => row.account_id));
  return (id) => ({
    presence: busy.has(id) ? 'busy' : online.has(id) ? 'online' : 'offline',
    hasPhoto: withPicture.has(id),
  });
}

/** An upload that has received no byte for this long waits to be resumed, and does not make its sender busy. */
const stalledAfterMs = 60_000;

/** Users whose upload is being sent or processed. */
async function busyAccounts(db: Queryable, now: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('uploads')
    .select('uploader_id')
    .distinct()
    .where((e) =>
      e.or([
        e('state', 'in', ['received', 'reading', 'saving']),
        e.and([e('state', '=', 'receiving'), e('touched_at', '>', new Date(now - stalledAfterMs))]),
      ]),
    )
    .execute();
  return new Set(rows.map((row) => row.uploader_id));
}
