import { type Checksum, ChecksumMismatch, checkedBlocks } from './checksum.ts';
import { type Storage, StorageUnreadable, type StoredBytes } from './storage.ts';

/** The bytes of an open object in order. */
export async function* blocksOf(object: StoredBytes, blockBytes = 1024 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < object.size; at += blockBytes) {
    yield await object.read(at, Math.min(blockBytes, object.size - at));
  }
}

/** Writes an object durably. Nothing is left of it if that fails. @returns its size in bytes */
export async function writeBlocks(
  storage: Storage,
  key: string,
  blocks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  const object = await storage.append(key, 0);
  try {
    for await (const block of blocks) await object.write(block);
    await object.sync();
    return object.size;
  } catch (error) {
    await storage.remove(key);
    throw error;
  } finally {
    await object.close();
  }
}

/** The bytes of an object in order. */
export async function* storedBlocks(storage: Storage, key: string): AsyncGenerator<Uint8Array> {
  const object = await storage.open(key);
  try {
    yield* blocksOf(object);
  } finally {
    await object.close();
  }
}

/** The same of an original. @throws StorageUnreadable before the last block, if they are not the bytes that arrived */
export async function* unchangedBlocks(
  storage: Storage,
  key: string,
  checksum: Checksum | null,
): AsyncGenerator<Uint8Array> {
  try {
    yield* checkedBlocks(storedBlocks(storage, key), checksum);
  } catch (error) {
    throw error instanceof ChecksumMismatch ? new StorageUnreadable(error) : error;
  }
}
