/**
 * Texts of tokens that are cut by the end of a block or contain escapes. They are stored back to back; only the last
 * one grows.
 *
 * A text grows to at most `max` + 1 bytes and ignores the rest, so a length beyond `max` means "too long" and memory
 * stays bounded.
 */
export class JsonText {
  /** All texts in UTF-8; grows as needed. */
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(256);
  /** The start of the last text in `bytes`. */
  start = 0;
  /** The end of the last text in `bytes`, exclusive. */
  end = 0;
  readonly #max: number;
  /** The first half of a surrogate pair of \u escapes, or 0. */
  #high = 0;

  /** @param max the maximum size of a text in bytes */
  constructor(max: number) {
    this.#max = max;
  }

  /** Starts a new text behind the others. */
  begin(): void {
    this.start = this.end;
    this.#high = 0;
  }

  /** Removes the last text. */
  drop(): void {
    this.end = this.start;
  }

  /** Removes all texts except the last one, which moves to the front. */
  forget(): void {
    if (this.start > 0) this.bytes.copyWithin(0, this.start, this.end);
    this.end -= this.start;
    this.start = 0;
  }

  /** Appends the bytes of a block from `start` to before `end`. */
  append(block: Uint8Array, start: number, end: number): void {
    const appended = Math.min(end - start, this.start + this.#max + 1 - this.end);
    if (appended <= 0) return;
    this.#reserve(appended);
    for (let i = 0; i < appended; i++) this.bytes[this.end + i] = block[start + i]!;
    this.end += appended;
  }

  appendByte(byte: number): void {
    if (this.end - this.start > this.#max) return;
    this.#reserve(1);
    this.bytes[this.end++] = byte;
  }

  /**
   * Appends the UTF-16 code unit of a \u escape. Combines surrogate pairs; a lone surrogate becomes U+FFFD, as with
   * TextEncoder.
   */
  appendCodeUnit(unit: number): void {
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (this.#high !== 0 && isLow) {
      const point = 0x10000 + ((this.#high - 0xd800) << 10) + (unit - 0xdc00);
      this.#high = 0;
      this.#appendCodePoint(point);
      return;
    }
    this.endPair();
    if (unit >= 0xd800 && unit <= 0xdbff) this.#high = unit;
    else this.#appendCodePoint(isLow ? 0xfffd : unit);
  }

  /** Call when anything other than a \u escape follows: a pending surrogate is a lone one. */
  endPair(): void {
    if (this.#high === 0) return;
    this.#high = 0;
    this.#appendCodePoint(0xfffd);
  }

  #appendCodePoint(point: number): void {
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
    const needed = this.end + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.end));
    this.bytes = grown;
  }
}

/** The decoded byte of each one-letter escape, by the byte after the backslash. Source: RFC 8259, section 7. */
export const ESCAPES: Readonly<Record<number, number>> = {
  34: 0x22, // "
  92: 0x5c, // \
  47: 0x2f, // /
  98: 0x08, // b
  102: 0x0c, // f
  110: 0x0a, // n
  114: 0x0d, // r
  116: 0x09, // t
};

/** The value of a hexadecimal digit, or -1 for any other byte. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
