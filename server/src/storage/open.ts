import { openDiskStorage } from './disk.ts';
import type { Storage, StoragePlace } from './storage.ts';

/**
 * Opens a storage by its place, for example in a worker thread. A storage in memory cannot be reached from another
 * thread.
 */
export async function openStorage(place: StoragePlace): Promise<Storage> {
  if (place.kind === 'memory') throw new Error('A storage in memory is only reachable from its own thread');
  if (place.kind === 'disk') return openDiskStorage(place.directory);
  // Its client takes 300 ms and 30 MiB to load.
  const { openS3Storage } = await import('./s3/s3.ts');
  return openS3Storage(place);
}
