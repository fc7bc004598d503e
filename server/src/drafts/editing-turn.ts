import { setTimeout as pause } from 'node:timers/promises';
import type { DraftOperation } from '@kc/rules/draft-shapes';
import { asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { StorageFull, StorageUnreadable } from '../storage/storage.ts';
import type { Unlock, UploadSession } from '../visualizations/upload/upload-session.ts';
import type { Editors } from './editors.ts';
import { isRefusal } from './revision.ts';

/**
 * Does something with the editing process of a draft that nobody else may use meanwhile.
 *
 * @throws refusals as the contract's errors; other faults of the machine
 */
export async function editingTurn<T>(deps: ChangeDeps, id: string, work: () => Promise<T>): Promise<T> {
  const unlock = await lockOfDraft(deps.session, id);
  try {
    return await work();
  } catch (error) {
    // The state of the process is unknown after a fault.
    if (!isRefusal(error)) deps.editors.forget(id);
    throw refusalOf(deps, error, id);
  } finally {
    await unlock();
  }
}

/** What is said about a fault of the storage. What is stored is read again at the next change. */
function refusalOf({ log }: ChangeDeps, error: unknown, id: string): unknown {
  if (error instanceof StorageFull) {
    log.warn({ event: 'storage-full', err: error, draft: id }, 'The storage is full: a change of a draft was refused');
    return asError({ code: 'upload/storage-refused' });
  }
  if (!(error instanceof StorageUnreadable)) return error;
  log.error({ err: error, draft: id }, 'A draft cannot be changed, because its stored form cannot be read');
  return asError({ code: 'draft/unreadable' });
}

export type ChangeDeps = Pick<
  ServerParts,
  'db' | 'storage' | 'log' | 'session' | 'memoryBytes' | 'queueFileDeletion' | 'queueIngest' | 'now'
> & {
  readonly editors: Editors;
};

/** What the asker wants, and the number of the last operation that they know. */
export type WantedChange =
  | { readonly kind: 'operate'; readonly after: number; readonly operation: DraftOperation }
  | { readonly kind: 'undo' | 'redo'; readonly after: number };

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
