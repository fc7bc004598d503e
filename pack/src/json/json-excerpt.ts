const WIDTH = 40;
/** Enough bytes for WIDTH characters of any script, even if the window starts inside a character. */
const KEPT = WIDTH * 4;

/**
 * The last bytes read, used to show where a file is broken. Keeps the end of earlier blocks, so the excerpt does not
 * depend on how the file was split.
 */
export class JsonExcerpt {
  #before: Uint8Array = new Uint8Array(0);

  /** Keeps the end of a fully read block. */
  keep(block: Uint8Array): void {
    this.#before = block.length >= KEPT ? block.slice(block.length - KEPT) : join(this.#before, block).slice(-KEPT);
  }

  /** Up to 40 printable characters, ending with the byte before `end` in `block`. */
  upTo(block: Uint8Array, end: number): string {
    const here = block.subarray(Math.max(0, end - KEPT), end);
    const bytes = here.length < KEPT ? join(this.#before, here).slice(-KEPT) : here;
    return printable(bytes, -WIDTH);
  }
}

/** The first 40 characters of a text, made printable. */
export function excerptOf(bytes: Uint8Array): string {
  return printable(bytes.subarray(0, KEPT), WIDTH);
}

/** Replaces control characters and broken UTF-8 with the replacement character. */
function printable(bytes: Uint8Array, width: number): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(skipContinuation(bytes));
  const characters = Array.from(text.replace(/\s+/gu, ' ').replace(/\p{C}/gu, '\ufffd'));
  return (width < 0 ? characters.slice(width) : characters.slice(0, width)).join('').trim();
}

/** A window may start inside a character. Skips the remaining bytes of that character. */
function skipContinuation(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && start < bytes.length - 1 && (bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

export function describe(byte: number): string {
  if (byte === 0x22) return `unexpected '"'`;
  if (byte > 0x20 && byte < 0x7f) return `unexpected "${String.fromCharCode(byte)}"`;
  return `an unexpected byte 0x${byte.toString(16).padStart(2, '0')}`;
}

export function describeControl(byte: number): string {
  if (byte === 0) return 'a NUL byte';
  return `an unescaped control character 0x${byte.toString(16).padStart(2, '0')}`;
}
