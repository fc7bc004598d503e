import type { ByteSource } from './byte-source.ts';
import { blockBytes, PackDamaged } from './pack-format.ts';
import { xxh32 } from './xxh32.ts';

/**
 * The hashed part of a pack, read by blocks. Every block is checked against its hash when it is first read; the blocks
 * read last stay in memory.
 */
export class CheckedSource {
  readonly #source: ByteSource;
  readonly #hashes: Uint32Array;
  readonly #isChecked: Uint8Array;
  /** Blocks in the order of their last use. */
  readonly #held = new Map<number, Promise<Uint8Array>>();
  readonly #maxHeld: number;
  /** Bytes that the hashes cover. */
  readonly size: number;

  constructor(source: ByteSource, hashes: Uint32Array, size: number, cacheBytes: number) {
    this.#source = source;
    this.#hashes = hashes;
    this.size = size;
    this.#isChecked = new Uint8Array(hashes.length);
    this.#maxHeld = Math.max(2, Math.floor(cacheBytes / blockBytes));
  }

  /** A whole block, 1 MiB but for the last one. Not to be changed: others read it too. */
  async block(index: number): Promise<Uint8Array> {
    const held = this.#held.get(index) ?? this.#load(index);
    this.#held.delete(index);
    this.#held.set(index, held);
    if (this.#held.size > this.#maxHeld) this.#held.delete(this.#held.keys().next().value!);
    try {
      return await held;
    } catch (error) {
      if (this.#held.get(index) === held) this.#held.delete(index);
      throw error;
    }
  }

  /** A copy of any range, its start aligned to eight bytes in memory. @throws PackDamaged when it leaves the pack */
  async read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    if (offset < 0 || length < 0 || offset + length > this.size) {
      throw new PackDamaged(`bytes ${offset} to ${offset + length} of ${this.size}`);
    }
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const at = offset + done;
      const index = Math.floor(at / blockBytes);
      const isWhole = at % blockBytes === 0 && length - done >= blockBytes;
      // What is read whole is kept by the caller, so it need not push other blocks out.
      const block = isWhole ? await (this.#held.get(index) ?? this.#load(index)) : await this.block(index);
      const part = block.subarray(at % blockBytes, (at % blockBytes) + length - done);
      bytes.set(part, done);
      done += part.length;
    }
    return bytes;
  }

  /** Reads every block that was not read yet. @throws PackDamaged */
  async checkAll(): Promise<void> {
    for (let index = 0; index < this.#hashes.length; index++) if (!this.#isChecked[index]) await this.#load(index);
  }

  async #load(index: number): Promise<Uint8Array> {
    const start = index * blockBytes;
    const block = await this.#source.read(start, Math.min(blockBytes, this.size - start));
    if (!this.#isChecked[index] && xxh32(block) !== this.#hashes[index]) {
      throw new PackDamaged(`bytes ${start} to ${start + block.length} are not what was written`);
    }
    this.#isChecked[index] = 1;
    // Numbers are read in place, so the block must start where they are aligned.
    return block.byteOffset % 8 === 0 ? block : block.slice();
  }
}
