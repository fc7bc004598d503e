/**
 * Counts the lines of a file that are not valid UTF-8, in pieces of any size. A file with more of them than
 * {@link isOtherEncoding} allows was written in another encoding.
 */
export class Utf8Lines {
  lines = 0;
  invalid = 0;
  /** The first invalid lines, up to a few thousand bytes. */
  sample: Uint8Array = new Uint8Array();
  /** The first bytes of a character that the next piece completes. */
  #begun = new Uint8Array();
  #isLineBad = false;

  write(piece: Uint8Array): void {
    const bytes = joined(this.#begun, piece);
    const whole = bytes.length - begunCharacter(bytes);
    this.#begun = bytes.slice(whole);
    this.#check(bytes.subarray(0, whole));
  }

  end(): void {
    if (this.#begun.length > 0) this.#isLineBad = true;
    this.#endLine();
  }

  #check(bytes: Uint8Array): void {
    if (!this.#isLineBad && isValid(bytes)) {
      this.lines += count(bytes, LF);
      return;
    }
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      this.#isLineBad ||= !isValid(bytes.subarray(from, end));
      if (this.#isLineBad && this.sample.length < sampleBytes)
        this.sample = joined(this.sample, bytes.slice(from, end + 1));
      this.#endLine();
      from = end + 1;
    }
    this.#isLineBad ||= !isValid(bytes.subarray(from));
  }

  #endLine(): void {
    this.lines++;
    if (this.#isLineBad) this.invalid++;
    this.#isLineBad = false;
  }
}

const LF = 0x0a;
const sampleBytes = 1 << 13;

/** Whether so many lines are not UTF-8 that the file has another encoding; fewer are unreadable lines. */
export const isOtherEncoding = ({ lines, invalid }: { lines: number; invalid: number }): boolean =>
  invalid > lines / 1000;

/** How many bytes at the end begin a character without completing it. */
function begunCharacter(bytes: Uint8Array): number {
  for (let length = 1; length <= 3 && length <= bytes.length; length++) {
    const byte = bytes[bytes.length - length]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return length < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length : 0;
  }
  return 0;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function isValid(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function count(bytes: Uint8Array, byte: number): number {
  let found = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) found++;
  return found;
}
