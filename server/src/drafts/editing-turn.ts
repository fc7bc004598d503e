import { asError } from '../http/refusals.ts';
import { StorageFull, StorageUnreadable } from '../storage/storage.ts';
import { lockOfDraft } from './draft-lock.ts';
import { isRefusal } from './store-objects.ts';
import type { ChangeDeps } from './wanted-change.ts';

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
