import type { ListedAccount } from '@kc/rules/shapes';
import type { Queryable } from '../database/open.ts';
import { onlineAccounts } from './event-streams.ts';
import type { AccountContext } from './responses.ts';

/** What is known about accounts in addition to their rows, by ID. */
export async function readAccountContext(db: Queryable, now: number): Promise<(id: string) => AccountContext> {
  const [presence, pictured] = await Promise.all([readPresence(db, now), accountsWithPhoto(db)]);
  return (id) => ({ presence: presence(id), hasPhoto: pictured.has(id) });
}

async function accountsWithPhoto(db: Queryable): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('avatars').select('account_id').where('picture', 'is not', null).execute();
  return new Set(rows.map((row) => row.account_id));
}

/** An upload without a byte for this long is waiting to be resumed; nobody is busy with it. */
const stalledAfterMs = 60_000;

/** Who is present: busy while one of their uploads is running, otherwise online while one of their streams is open. */
export async function readPresence(db: Queryable, now: number): Promise<(id: string) => ListedAccount['presence']> {
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
