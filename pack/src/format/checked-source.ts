import type { ByteSource } from './byte-source.ts';
import { blockBytes, PackDamaged } from './pack-format.ts';
import { xxh32 } from './xxh32.ts';

/** A block that is in memory or being loaded. `users` counts those that are reading it or waiting for it. */
type CachedBlock = { bytes: Uint8Array | undefined; loading: Promise<Uint8Array>; users: number };

/**
 * The hashed part of a pack, read in blocks. Every block is checked against its hash when it is first read. The most
 * recently used blocks stay in memory.
 */
export class CheckedSource {
  readonly #source: ByteSource;
  /** The hashes of all blocks. Must not be modified. */
  readonly hashes: Uint32Array;
  readonly #isChecked: Uint8Array;
  /** Blocks in the order of their last use. */
  readonly #cached = new Map<number, CachedBlock>();
  readonly #maxCached: number;
  /** Memory of blocks that are no longer in use, kept for the next ones: allocating memory costs as much as reading. */
  readonly #spare: Uint8Array[] = [];
  /** The most recently used block, which needs no lookup and no move to the end. */
  #last = -1;
  /** The number of bytes that the hashes cover. */
  readonly size: number;

  constructor(source: ByteSource, hashes: Uint32Array, size: number, cacheBytes: number) {
    this.#source = source;
    this.hashes = hashes;
    this.size = size;
    this.#isChecked = new Uint8Array(hashes.length);
    this.#maxCached = Math.max(2, Math.floor(cacheBytes / blockBytes));
  }

  /**
   * Calls `read` with a whole block, 1 MiB except for the last one: synchronously if the block is in memory, otherwise
   * once it is loaded.
   *
   * @param read must not keep the block after it returns, and must not modify it, because others read it
   * @returns a promise if `read` has not been called yet
   */
  with(index: number, read: (block: Uint8Array) => void): Promise<void> | undefined {
    const cached = this.#cached.get(index) ?? this.#addToCache(index);
    if (index !== this.#last) {
      this.#cached.delete(index);
      this.#cached.set(index, cached);
      this.#last = index;
    }
    if (cached.bytes) {
      read(cached.bytes);
      return undefined;
    }
    return this.#whenLoaded(index, cached, read);
  }

  /** Copies a range of the length of `bytes`. @throws PackDamaged if the range is outside the pack */
  async read(offset: number, bytes: Uint8Array): Promise<void> {
    if (offset < 0 || offset + bytes.length > this.size) {
      throw new PackDamaged(`bytes ${offset} to ${offset + bytes.length} of ${this.size}`);
    }
    for (let done = 0; done < bytes.length; ) {
      const at = offset + done;
      const index = Math.floor(at / blockBytes);
      const from = at % blockBytes;
      const target = bytes.subarray(done, done + blockBytes - from);
      if (target.length === blockBytes && !this.#cached.has(index)) {
        // The caller keeps a block that is read whole, so it need not evict others from the cache.
        const block = await this.#load(index, target);
        if (block.buffer !== bytes.buffer) target.set(block);
      } else await this.with(index, (block) => target.set(block.subarray(from, from + target.length)));
      done += target.length;
    }
  }

  #addToCache(index: number): CachedBlock {
    const loading = this.#load(index, this.#spare.pop());
    const cached: CachedBlock = { bytes: undefined, loading, users: 0 };
    this.#cached.set(index, cached);
    if (this.#cached.size > this.#maxCached) this.#drop(this.#cached.keys().next().value!);
    return cached;
  }

  #drop(index: number): void {
    const { bytes, users } = this.#cached.get(index)!;
    this.#cached.delete(index);
    if (bytes?.length === blockBytes && users === 0) this.#spare.push(bytes);
  }

  async #whenLoaded(index: number, cached: CachedBlock, read: (block: Uint8Array) => void): Promise<void> {
    cached.users++;
    try {
      cached.bytes = await cached.loading;
      read(cached.bytes);
    } catch (error) {
      if (this.#cached.get(index) === cached && !cached.bytes) this.#cached.delete(index);
      throw error;
    } finally {
      cached.users--;
    }
  }

  /** @param spare memory that the block may be read into */
  async #load(index: number, spare?: Uint8Array): Promise<Uint8Array> {
    const start = index * blockBytes;
    const length = Math.min(blockBytes, this.size - start);
    const block = await this.#source.read(start, length, spare?.subarray(0, length));
    if (!this.#isChecked[index] && xxh32(block) !== this.hashes[index]) {
      throw new PackDamaged(`bytes ${start} to ${start + block.length} are not what was written`);
    }
    this.#isChecked[index] = 1;
    // Numbers are read in place, so the block must be aligned.
    return block.byteOffset % 8 === 0 ? block : block.slice();
  }
}
