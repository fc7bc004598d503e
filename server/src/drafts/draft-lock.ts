import { setTimeout as pause } from 'node:timers/promises';
import { asError } from '../http/refusals.ts';
import type { Unlock, UploadSession } from '../visualizations/upload/upload-session.ts';

/** How long a change waits for the one before it. */
const longestWaitMs = 10_000;
const retryMs = 25;

/** Whoever changes or publishes a draft holds this lock, whichever server does so. */
export const draftLock = (id: string): string => `draft:${id}`;

/**
 * Waits for the lock of a draft.
 *
 * @throws `draft/busy` if it is not free for too long
 */
export async function lockOfDraft(session: UploadSession, id: string): Promise<Unlock> {
  for (let waited = 0; ; waited += retryMs) {
    const unlock = await session.tryLock(draftLock(id));
    if (unlock) return unlock;
    if (waited >= longestWaitMs) throw asError({ code: 'draft/busy' });
    await pause(retryMs);
  }
}
