import { sql } from 'kysely';
import { type Db, inTransaction, type Queryable } from '../database/open.ts';

/** How often an open stream says that it is alive, to its browser and to the database. */
export const heartbeatMs = 25_000;
/** A stream that was not seen for this long ended with its server. */
const goneAfterMs = 3 * heartbeatMs;
/** One person's tabs; more are refused. */
const maxStreams = 20;

/**
 * Writes down that a stream is open. One after the other for each person, so that any number of them at once are never
 * more than there may be.
 *
 * @returns `false` when this person has too many already
 */
export async function openStream(db: Db, id: string, accountId: string, now: number): Promise<boolean> {
  await db
    .deleteFrom('event_streams')
    .where('seen_at', '<', new Date(now - goneAfterMs))
    .execute();
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`streams: ${accountId}`}))`.execute(tx);
    const { open } = await tx
      .selectFrom('event_streams')
      .select((eb) => eb.fn.countAll<number>().as('open'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (open >= maxStreams) return false;
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

/** Everybody with an open stream, on any replica. Source: decisions §2.13. */
export async function onlineAccounts(db: Queryable, now: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('event_streams')
    .select('account_id')
    .distinct()
    .where('seen_at', '>', new Date(now - goneAfterMs))
    .execute();
  return new Set(rows.map((row) => row.account_id));
}
