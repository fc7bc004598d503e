import type { Encoding } from './reading.ts';

const sampleBytes = 1 << 16;
/** Line feed, TAB, comma, semicolon, quote. */
const signs = new Set([0x0a, 0x09, 0x2c, 0x3b, 0x22]);

/**
 * The encoding of a text file from its first bytes: by its byte order mark, by zero bytes beside separators (UTF-16), or
 * by whether it is valid UTF-8. Undefined if it is not text.
 *
 * @param isWhole whether `head` is the whole file, so that a character cut off at its end is a fault
 */
export function encodingOf(head: Uint8Array, isWhole = false): Encoding | undefined {
  const marked = markedEncoding(head);
  if (marked) return marked.encoding;
  const wide = wideEncoding(head.subarray(0, sampleBytes));
  if (wide) return wide;
  if (head.includes(0)) return undefined;
  return isUtf8(head, isWhole) ? 'utf-8' : 'windows-1252';
}

/** The encoding that a byte order mark states, and the length of the mark. */
export function markedEncoding(head: Uint8Array): { encoding: Encoding; bytes: number } | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', bytes: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', bytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', bytes: 2 };
  return undefined;
}

/** UTF-16 without a mark: separators have a zero byte on one side. */
function wideEncoding(bytes: Uint8Array): Encoding | undefined {
  let after = 0;
  let before = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (signs.has(bytes[at]!) && bytes[at + 1] === 0) after++;
    if (bytes[at] === 0 && signs.has(bytes[at + 1]!)) before++;
  }
  if (after >= 3 && after >= 20 * before) return 'utf-16le';
  if (before >= 3 && before >= 20 * after) return 'utf-16be';
  return undefined;
}

function isUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    return false;
  }
}

/** Converts a file of any encoding to UTF-8 without a byte order mark, in pieces of any size. UTF-8 is not checked. */
export class Utf8Bytes {
  readonly #decoder: InstanceType<typeof TextDecoder> | undefined;
  readonly #encoder = new TextEncoder();
  readonly #write: (bytes: Uint8Array) => void;
  /** The first bytes of UTF-8, until it is clear whether they are a mark. */
  #head: Uint8Array | undefined;

  constructor(encoding: Encoding, write: (bytes: Uint8Array) => void) {
    this.#write = write;
    if (encoding === 'utf-8') this.#head = new Uint8Array();
    else this.#decoder = new TextDecoder(encoding);
  }

  write(bytes: Uint8Array): void {
    if (this.#decoder) {
      const text = this.#decoder.decode(bytes, { stream: true });
      if (text.length > 0) this.#write(this.#encoder.encode(text));
    } else if (this.#head) this.#begin(this.#head, bytes);
    else this.#write(bytes);
  }

  end(): void {
    const rest = this.#decoder ? this.#encoder.encode(this.#decoder.decode()) : this.#head;
    if (rest && rest.length > 0) this.#write(rest);
  }

  #begin(head: Uint8Array, bytes: Uint8Array): void {
    const joined = new Uint8Array(head.length + bytes.length);
    joined.set(head);
    joined.set(bytes, head.length);
    this.#head = joined;
    if (joined.length < 3) return;
    this.#head = undefined;
    const text = joined.subarray(markedEncoding(joined)?.encoding === 'utf-8' ? 3 : 0);
    if (text.length > 0) this.#write(text);
  }
}
