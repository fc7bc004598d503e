import type { ByteSink } from './byte-source.ts';
import { blockBytes } from './pack-format.ts';
import { xxh32 } from './xxh32.ts';

/** So that what is gathered is still near when it is hashed. */
const numbersAtATime = 64 * 1024;

/** Gathers what is written into blocks, hashes each of them and hands it on while the next one is gathered. Holds two. */
export class PackSink {
  readonly #sink: ByteSink;
  #block = new Uint8Array(blockBytes);
  #other = new Uint8Array(blockBytes);
  /** What was handed on and may not be written yet. */
  #writing: Promise<void> = Promise.resolve();
  readonly #hashes: string[] = [];
  #filled = 0;
  #position = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  /** Bytes written so far. */
  get position(): number {
    return this.#position;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let taken = 0; taken < bytes.length; ) {
      const part = bytes.subarray(taken, taken + blockBytes - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      this.#position += part.length;
      taken += part.length;
      if (this.#filled === blockBytes) await this.#flush();
    }
  }

  /**
   * As {@link write}, of numbers that are put where they are gathered, so that nobody copies them.
   *
   * @param width bytes of each, 8 at most; the position is a multiple of it
   * @param fill puts `count` of them, from `start` on, at the beginning of `place`, a multiple of `width` in its buffer
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

  /** Zeros up to the next multiple of `alignment`, at most 64. */
  async pad(alignment: number): Promise<void> {
    const over = this.#position % alignment;
    if (over > 0) await this.write(new Uint8Array(alignment - over));
  }

  /** Ends the hashed part. The hash of every block in order, the last one shorter than the rest; 8 hex digits each. */
  async finishBlocks(): Promise<string> {
    if (this.#filled > 0) await this.#flush();
    await this.#writing;
    return this.#hashes.join('');
  }

  /** Behind the hashed part. */
  async writeUnhashed(bytes: Uint8Array): Promise<void> {
    await this.#sink.write(bytes);
    this.#position += bytes.length;
  }

  async #flush(): Promise<void> {
    const block = this.#block.subarray(0, this.#filled);
    this.#hashes.push(xxh32(block).toString(16).padStart(8, '0'));
    await this.#writing;
    this.#writing = this.#sink.write(block);
    // Whoever awaits it next hears of a fault; until then it is not one that nobody hears of.
    this.#writing.catch(() => undefined);
    [this.#block, this.#other] = [this.#other, this.#block];
    this.#filled = 0;
  }
}
