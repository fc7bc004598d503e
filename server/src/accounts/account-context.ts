import type { Queryable } from '../database/open.ts';
import { readPresence } from './presence.ts';
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
