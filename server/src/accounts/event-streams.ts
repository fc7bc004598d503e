import { sql } from 'kysely';
import { countOf, type Db, inTransaction, type Queryable } from '../database/open.ts';

/** Interval at which an open stream reports that it is alive, to its browser and to the database. */
export const heartbeatMs = 25_000;
/** A stream not seen for this long ended with its server. */
const goneAfterMs = 3 * heartbeatMs;
/** Streams per user, one per tab; more are refused. */
const maxStreams = 20;

/**
 * Records an open stream. Runs one at a time per user, so that simultaneous requests cannot exceed the limit.
 *
 * @returns `false` if this user has too many already
 */
export async function openStream(db: Db, id: string, accountId: string, now: number): Promise<boolean> {
  await db
    .deleteFrom('event_streams')
    .where('seen_at', '<', new Date(now - goneAfterMs))
    .execute();
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`streams: ${accountId}`}))`.execute(tx);
    const open = tx.selectFrom('event_streams').where('account_id', '=', accountId);
    if ((await countOf(open)) >= maxStreams) return false;
    await tx
      .insertInto('event_streams')
      .values({ id, account_id: accountId, seen_at: new Date(now) })
      .execute();
    return true;
  });
}

export async function streamIsAlive(db: Queryable, id: string, now: number): Promise<void> {
  await db
    .updateTable('event_streams')
    .set({ seen_at: new Date(now) })
    .where('id', '=', id)
    .execute();
}

export async function closeStream(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('event_streams').where('id', '=', id).execute();
}

/** All users with an open stream, on any replica. */
export async function onlineAccounts(db: Queryable, now: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('event_streams')
    .select('account_id')
    .distinct()
    .where('seen_at', '>', new Date(now - goneAfterMs))
    .execute();
  return new Set(rows.map((row) => row.account_id));
}
