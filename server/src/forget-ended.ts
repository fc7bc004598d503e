import type { Queryable } from './database/open.ts';
import { answersKeptMs } from './http/idempotent-answers.ts';

const dayMs = 24 * 3_600_000;
/** For this long, a browser that opens an old link learns that it has ended, rather than that it does not exist. */
const linksKeptMs = 90 * dayMs;
/** Longer than any window in which uses are counted. */
const limitsKeptMs = 2 * dayMs;

/** Deletes rows that only take space: of what has expired, or ended so long ago that only the audit log remembers it. */
export async function forgetEnded(db: Queryable, now: number): Promise<void> {
  const at = new Date(now);
  for (const table of ['sessions', 'tokens', 'share_sessions', 'used_proofs'] as const)
    await db.deleteFrom(table).where('expires_at', '<', at).execute();
  for (const [table, keptMs] of [
    ['access_tokens', 0],
    ['share_links', linksKeptMs],
  ] as const) {
    const before = new Date(now - keptMs);
    const ended = db.deleteFrom(table).where((e) => e.or([e('expires_at', '<', before), e('revoked_at', '<', before)]));
    await ended.execute();
  }
  const [answered, counted] = [new Date(now - answersKeptMs), new Date(now - limitsKeptMs)];
  await db.deleteFrom('idempotent_answers').where('begun_at', '<', answered).execute();
  await db.deleteFrom('rate_limits').where('window_start', '<', counted).execute();
}
