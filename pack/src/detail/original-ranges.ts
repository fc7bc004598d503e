import type { ByteSource } from '../format/byte-source.ts';

/** A byte range of the original. */
export type Range = { readonly start: number; readonly end: number };
/** The separator between two values. */
export const comma = ',';
export type Piece = Range | typeof comma;

/** The size of the blocks that are read from the original and cached. */
const blockBytes = 256 * 1024;
const maxCachedBlocks = 16;
/** The approximate size of a part in bytes. */
const partBytes = 128 * 1024;
/** Ranges are sorted separately for each region of the file; the size of a region as a power of two. */
const regionBits = 22;

/**
 * Collects ranges and returns each of them once, in file order. Sorts one region of the file at a time.
 *
 * Memory: 8 bytes for each added range, at most twice that.
 */
export class RangesInOrder {
  readonly #regions = new Map<number, { numbers: Uint32Array; length: number }>();

  /** Ignores an empty range. */
  add({ start, end }: Range): void {
    if (start === end) return;
    const key = Math.floor(start / 2 ** regionBits);
    const region = this.#regions.get(key) ?? { numbers: new Uint32Array(64), length: 0 };
    this.#regions.set(key, region);
    if (region.length === region.numbers.length) {
      const longer = new Uint32Array(2 * region.length);
      longer.set(region.numbers);
      region.numbers = longer;
    }
    region.numbers[region.length++] = start;
    region.numbers[region.length++] = end;
  }

  /** The ranges in file order, with commas between them. Empties the collection. */
  *take(): Generator<Piece> {
    let last = -1;
    for (const key of [...this.#regions.keys()].sort((a, b) => a - b)) {
      const { numbers, length } = this.#regions.get(key)!;
      this.#regions.delete(key);
      const order = Uint32Array.from({ length: length / 2 }, (_, index) => 2 * index);
      for (const at of order.sort((a, b) => numbers[a]! - numbers[b]!)) {
        const start = numbers[at]!;
        if (start === last) continue;
        if (last >= 0) yield comma;
        yield { start, end: numbers[at + 1]! };
        last = start;
      }
    }
  }
}

/** Reads ranges in whole blocks and caches the last ones. */
export class OriginalBlocks {
  readonly #original: ByteSource;
  readonly #cached = new Map<number, Uint8Array>();

  constructor(original: ByteSource) {
    this.#original = original;
  }

  async *read({ start, end }: Range): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end; ) {
      const index = Math.floor(at / blockBytes);
      const from = at - index * blockBytes;
      const block = this.#cached.get(index) ?? (await this.#block(index));
      const piece = block.subarray(from, from + end - at);
      if (piece.length === 0) throw new RangeError(`Byte ${at} is not in the original`);
      yield piece;
      at += piece.length;
    }
  }

  async #block(index: number): Promise<Uint8Array> {
    const start = index * blockBytes;
    const bytes = await this.#original.read(start, Math.min(blockBytes, this.#original.size - start));
    this.#cached.set(index, bytes);
    if (this.#cached.size > maxCachedBlocks) this.#cached.delete(this.#cached.keys().next().value!);
    return bytes;
  }
}

/** Joins pieces until they are large enough to send. The consumer may keep a returned part. */
export class Parts {
  #bytes = new Uint8Array(2 * partBytes);
  #length = 0;

  *add(piece: Uint8Array): Generator<Uint8Array> {
    if (this.#length + piece.length > this.#bytes.length) yield* this.end();
    if (piece.length > this.#bytes.length) this.#bytes = new Uint8Array(piece.length);
    this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
    if (this.#length >= partBytes) yield* this.end();
  }

  /** Returns the remaining piece. */
  *end(): Generator<Uint8Array> {
    if (this.#length > 0) yield this.#bytes.slice(0, this.#length);
    this.#length = 0;
  }
}
