import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Queryable } from '../database/open.ts';

/** The number of allowed uses in a window that begins with the first one. */
export type Limit = { readonly name: string; readonly uses: number; readonly windowMs: number };

/** Seconds until the next allowed use; 0 if this one was within the limit. */
export type Wait = number;

/**
 * Counts one use and returns the waiting time if it exceeded the limit. A single statement, so that simultaneous
 * requests on any number of replicas cannot exceed the limit.
 *
 * @param subject an address or email: stored as a hash. Source: SECURITY.md, SEC-13.
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

/** Resets the uses of a subject. */
export async function forgetUses(db: Queryable, limit: Limit, subject: string): Promise<void> {
  await db.deleteFrom('rate_limits').where('key', '=', keyOf(limit, subject)).execute();
}

const keyOf = (limit: Limit, subject: string): string =>
  `${limit.name}:${createHash('sha256').update(subject).digest('base64url').slice(0, 22)}`;
