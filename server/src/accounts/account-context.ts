import type { ListedAccount } from '@kc/rules/shapes';
import type { Queryable } from '../database/open.ts';
import { onlineAccounts } from './events.ts';
import type { AccountContext } from './responses.ts';

/** Looks up, for each account ID, what a response says in addition to the account's row: presence and photo. */
export async function readAccountContext(db: Queryable, now: number): Promise<(id: string) => AccountContext> {
  const [presence, withPicture] = await Promise.all([readPresence(db, now), accountsWithPicture(db)]);
  return (id) => ({ presence: presence(id), hasPhoto: withPicture.has(id) });
}

async function accountsWithPicture(db: Queryable): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('avatars').select('account_id').where('picture', 'is not', null).execute();
  return new Set(rows.map((row) => row.account_id));
}

/** An upload that has received no byte for this long waits to be resumed, and does not make its sender busy. */
const stalledAfterMs = 60_000;

/**
 * Looks up the presence of each account ID: `busy` while an upload that the user started is sent or processed,
 * otherwise `online` while one of their event streams is open, otherwise `offline`.
 */
async function readPresence(db: Queryable, now: number): Promise<(id: string) => ListedAccount['presence']> {
  const [online, busy] = await Promise.all([onlineAccounts(db, now), busyAccounts(db, now)]);
  return (id) => (busy.has(id) ? 'busy' : online.has(id) ? 'online' : 'offline');
}

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
