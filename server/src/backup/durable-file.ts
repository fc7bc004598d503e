import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

export type Written = { readonly bytes: number; readonly sha256: string };

/** Bytes read at a time. */
const blockBytes = 1024 * 1024;
/** Written bytes are synced this often, so that other processes that wait for the disk wait for no more than this. */
const durableEveryBytes = 8 * 1024 * 1024;

/**
 * Writes a new file that only this user can read. Its content is durable when this settles; its name is durable when
 * its folder is synced.
 */
export async function writeDurably(
  path: string,
  blocks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Written> {
  const hash = createHash('sha256');
  let bytes = 0;
  let loose = 0;
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const block of blocks) {
      for (let done = 0; done < block.length; ) done += (await handle.write(block, done)).bytesWritten;
      hash.update(block);
      bytes += block.length;
      loose += block.length;
      if (loose < durableEveryBytes) continue;
      await handle.sync();
      loose = 0;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The bytes of a file, block by block. */
export async function* blocksOf(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(blockBytes), 0, blockBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Length and SHA-256 of the bytes passing through; valid once all have passed. */
export function measured(blocks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> & { result(): Written } {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async *[Symbol.asyncIterator]() {
      for await (const block of blocks) {
        hash.update(block);
        bytes += block.length;
        yield block;
      }
    },
    result: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}
