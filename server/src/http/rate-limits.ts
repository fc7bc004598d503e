import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Queryable } from '../database/open.ts';

/** So many uses of a thing in a window that begins with the first. */
export type Limit = { readonly name: string; readonly uses: number; readonly windowMs: number };

/** Seconds until the next use; 0: this one was within the limit. */
export type Wait = number;

/**
 * Counts one use and says how long to wait if it was one too many. One statement, so that any number of requests at
 * once on any number of replicas never pass the limit.
 *
 * @param subject an address, an email: kept as a hash
 * Source: security SEC-13.
 */
export async function consume(db: Queryable, limit: Limit, subject: string, now: number): Promise<Wait> {
  const key = keyOf(limit, subject);
  const at = new Date(now);
  const over = new Date(now - limit.windowMs);
  const { rows } = await sql<{ uses: number; window_start: Date }>`
    insert into rate_limits as r (key, window_start, uses) values (${key}, ${at}, 1)
    on conflict (key) do update set
      uses = case when r.window_start <= ${over} then 1 else r.uses + 1 end,
      window_start = case when r.window_start <= ${over} then ${at} else r.window_start end
    returning uses, window_start`.execute(db);
  const { uses, window_start } = rows[0]!;
  if (uses <= limit.uses) return 0;
  return Math.max(1, Math.ceil((window_start.getTime() + limit.windowMs - now) / 1000));
}

/** Windows that ended long ago. */
export async function forgetLimits(db: Queryable, before: Date): Promise<void> {
  await sql`delete from rate_limits where window_start < ${before}`.execute(db);
}

/** Gives the uses of a subject back. */
export async function forgetUses(db: Queryable, limit: Limit, subject: string): Promise<void> {
  await db.deleteFrom('rate_limits').where('key', '=', keyOf(limit, subject)).execute();
}

const keyOf = (limit: Limit, subject: string): string =>
  `${limit.name}:${createHash('sha256').update(subject).digest('base64url').slice(0, 22)}`;
