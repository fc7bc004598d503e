import { sql } from 'kysely';
import { audit } from '../database/audit.ts';
import type { Db } from '../database/open.ts';
import type { Log } from '../log.ts';
import { listActivity, settledLines } from './activity.ts';

type OldActivityDeps = { readonly db: Db; readonly log: Log; readonly now: () => number };

const dayMs = 86_400_000;
/** Of one statement, which the database ends after a while. */
const atOnce = 10_000;

/**
 * Removes the lines of the activity log that are older than `ACTIVITY_DAYS`, and notes that. The database refuses to remove
 * those of the last 30 days.
 *
 * Source: SECURITY.md, SEC-56
 *
 * @returns how many
 */
export async function forgetOldActivity({ db, log, now }: OldActivityDeps, days: number): Promise<number> {
  const before = new Date(now() - days * dayMs);
  let lines = 0;
  for (let deleted = atOnce; deleted === atOnce; lines += deleted) {
    const { rows } = await sql<{ gone: number }>`select forget_activity(${before}, ${atOnce}) as gone`.execute(db);
    deleted = Number(rows[0]?.gone);
  }
  if (lines === 0) return 0;
  const details = { lines, before: before.toISOString() };
  await audit(db, { actor: 'system', action: 'forget-activity', target: 'activity', details }, now());
  log.info({ event: 'forget-activity', ...details }, 'Removed old activity');
  return lines;
}

const shippedAtOnce = 500;

/**
 * Writes the lines of the activity log that are not there yet to the server's log, oldest first and each at least once. Of
 * several servers, one does so at a time. The place is kept in the database: what happens while no server runs is not missed.
 *
 * @returns how many
 */
export async function shipActivity({ db, log, now }: OldActivityDeps): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ shipped: number }>`
      select shipped from activity_cursor for update skip locked`.execute(tx);
    const [cursor] = rows;
    if (!cursor) return 0;
    const lines = settledLines(await listActivity(tx, {}, { after: cursor.shipped }, shippedAtOnce), now());
    const last = lines.at(-1);
    if (!last) return 0;
    for (const line of lines) log.info({ event: 'activity', line }, 'Activity');
    await sql`update activity_cursor set shipped = ${last.id}`.execute(tx);
    return lines.length;
  });
}

const everyMs = 10_000;

/** {@link shipActivity} from now on, until the returned function is called. */
export function keepShipping(deps: OldActivityDeps): () => void {
  let isBusy = false;
  const ship = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    try {
      while ((await shipActivity(deps)) === shippedAtOnce);
    } catch (error) {
      deps.log.warn({ err: error }, 'Activity could not be written to the log');
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void ship(), everyMs).unref();
  return () => clearInterval(timer);
}
