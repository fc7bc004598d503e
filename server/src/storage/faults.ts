import { StorageFull, StorageUnavailable, StorageUnreadable } from './storage.ts';

/** What a process that works on stored objects says about why it failed: the class of an error does not cross into another. */
export type FaultKind = 'full' | 'unreadable' | 'unavailable' | 'other';

export function faultKindOf(error: unknown): FaultKind {
  if (error instanceof StorageFull) return 'full';
  if (error instanceof StorageUnavailable) return 'unavailable';
  // Whoever could not read an object says so, but there may be nothing wrong with the object.
  if (error instanceof StorageUnreadable)
    return error.cause instanceof StorageUnavailable ? 'unavailable' : 'unreadable';
  return 'other';
}

/** @param text the stack of the error that the other process had */
export function faultOf(kind: FaultKind, text: string): Error {
  if (kind === 'full') return new StorageFull(text);
  if (kind === 'unavailable') return new StorageUnavailable(text);
  return kind === 'unreadable' ? new StorageUnreadable(text) : new Error(text);
}
