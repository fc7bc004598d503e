/**
 * Texts of tokens that are cut by the end of a block or contain escapes. They are stored back to back; only the last
 * one grows.
 *
 * A text grows to at most `max` + 1 bytes and ignores the rest, so a length beyond `max` means "too long" and memory
 * stays bounded.
 */
export class JsonText {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(256);
  /** The start of the last text. */
  start = 0;
  /** The end of the last text. */
  length = 0;
  readonly #max: number;
  /** The first half of a surrogate pair of \u escapes, or 0. */
  #high = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Starts a new text behind the others. */
  begin(): void {
    this.start = this.length;
    this.#high = 0;
  }

  /** Removes the last text. */
  drop(): void {
    this.length = this.start;
  }

  /** Removes all texts except the last one, which moves to the front. */
  forget(): void {
    if (this.start > 0) this.bytes.copyWithin(0, this.start, this.length);
    this.length -= this.start;
    this.start = 0;
  }

  append(block: Uint8Array, start: number, end: number): void {
    const kept = Math.min(end - start, this.start + this.#max + 1 - this.length);
    if (kept <= 0) return;
    this.#reserve(kept);
    for (let i = 0; i < kept; i++) this.bytes[this.length + i] = block[start + i]!;
    this.length += kept;
  }

  appendByte(byte: number): void {
    if (this.length - this.start > this.#max) return;
    this.#reserve(1);
    this.bytes[this.length++] = byte;
  }

  /** Appends a \u escape. Combines surrogate pairs; a lone surrogate becomes U+FFFD, as with TextEncoder. */
  appendCodeUnit(unit: number): void {
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (this.#high !== 0 && isLow) {
      const point = 0x10000 + ((this.#high - 0xd800) << 10) + (unit - 0xdc00);
      this.#high = 0;
      this.#appendPoint(point);
      return;
    }
    this.endPair();
    if (unit >= 0xd800 && unit <= 0xdbff) this.#high = unit;
    else this.#appendPoint(isLow ? 0xfffd : unit);
  }

  /** Call when anything other than a \u escape follows: a pending surrogate is a lone one. */
  endPair(): void {
    if (this.#high === 0) return;
    this.#high = 0;
    this.#appendPoint(0xfffd);
  }

  #appendPoint(point: number): void {
    if (point < 0x80) {
      this.appendByte(point);
      return;
    }
    if (point < 0x800) {
      this.appendByte(0xc0 | (point >> 6));
    } else {
      if (point < 0x10000) {
        this.appendByte(0xe0 | (point >> 12));
      } else {
        this.appendByte(0xf0 | (point >> 18));
        this.appendByte(0x80 | ((point >> 12) & 0x3f));
      }
      this.appendByte(0x80 | ((point >> 6) & 0x3f));
    }
    this.appendByte(0x80 | (point & 0x3f));
  }

  #reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}

/** The decoded byte of each one-letter escape. */
export const ESCAPES: Readonly<Record<number, number>> = {
  34: 0x22,
  92: 0x5c,
  47: 0x2f,
  98: 0x08,
  102: 0x0c,
  110: 0x0a,
  114: 0x0d,
  116: 0x09,
};

/** The value of a hexadecimal digit, or -1 for any other byte. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
