import { ORPCError } from '@orpc/server';
import type { Storage } from '../storage/storage.ts';
import { removeAll } from './revision.ts';

/**
 * Runs the transaction that makes rows refer to new objects. If it is refused, nothing will ever refer to them, and they
 * are removed. After a fault of the database, the transaction may have been committed nevertheless: then objects without
 * a row are left to the sweep.
 */
export async function storeObjects<T>(storage: Storage, keys: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) await removeAll(storage, keys);
    throw error;
  }
}

/** Whether a rule refused something, as opposed to a fault. */
export const isRefusal = (error: unknown): boolean => error instanceof ORPCError && error.data !== undefined;
