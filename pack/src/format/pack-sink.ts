import type { ByteSink } from './byte-source.ts';
import { blockBytes } from './pack-format.ts';
import { xxh32 } from './xxh32.ts';

/** Small enough that the collected data is still in the processor cache when it is hashed. */
const numbersAtATime = 64 * 1024;

/**
 * Collects writes into blocks, hashes each block and writes it while collecting the next one. Uses two blocks of
 * memory.
 */
export class PackSink {
  readonly #sink: ByteSink;
  #block = new Uint8Array(blockBytes);
  #other = new Uint8Array(blockBytes);
  /** The last write, which may still be in progress. */
  #writing: Promise<void> = Promise.resolve();
  readonly #hashes: string[] = [];
  #filled = 0;
  #position = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  /** The number of bytes written so far. */
  get position(): number {
    return this.#position;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const part = bytes.subarray(written, written + blockBytes - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      this.#position += part.length;
      written += part.length;
      if (this.#filled === blockBytes) await this.#flush();
    }
  }

  /**
   * Like {@link write}, but for numbers that are written directly into the block, without a copy.
   *
   * @param width the size of each in bytes, at most 8; the position is a multiple of it
   * @param fill writes `count` numbers, starting with number `start`, to the beginning of `place`, which is aligned to
   *   `width` in its buffer
   */
  async fill(
    width: number,
    total: number,
    fill: (place: Uint8Array<ArrayBuffer>, start: number, count: number) => void,
  ) {
    for (let start = 0; start < total; ) {
      const count = Math.min(total - start, (blockBytes - this.#filled) / width, numbersAtATime);
      fill(this.#block.subarray(this.#filled, this.#filled + count * width), start, count);
      this.#filled += count * width;
      this.#position += count * width;
      start += count;
      if (this.#filled === blockBytes) await this.#flush();
    }
  }

  /** Writes zeros up to the next multiple of `alignment`, at most 64. */
  async pad(alignment: number): Promise<void> {
    const over = this.#position % alignment;
    if (over > 0) await this.write(new Uint8Array(alignment - over));
  }

  /**
   * Ends the hashed part. Returns the hashes of all blocks in order, 8 hex digits each. The last block may be shorter.
   */
  async finishBlocks(): Promise<string> {
    if (this.#filled > 0) await this.#flush();
    await this.#writing;
    return this.#hashes.join('');
  }

  /** Writes bytes behind the hashed part. */
  async writeUnhashed(bytes: Uint8Array): Promise<void> {
    await this.#sink.write(bytes);
    this.#position += bytes.length;
  }

  async #flush(): Promise<void> {
    const block = this.#block.subarray(0, this.#filled);
    this.#hashes.push(xxh32(block).toString(16).padStart(8, '0'));
    await this.#writing;
    this.#writing = this.#sink.write(block);
    // The next await reports an error; until then it must not count as an unhandled rejection.
    this.#writing.catch(() => undefined);
    [this.#block, this.#other] = [this.#other, this.#block];
    this.#filled = 0;
  }
}
