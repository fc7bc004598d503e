import { CharacterFolds, entryFlags, keyFolds, searchFolds, unchangedPage } from './character-folds.ts';
import { foldCase, foldForSearch, normalForm } from './normal-form.ts';

/** Folds names, one per call. */
export interface NameFold {
  /** Contains the fold of the last name, from the first byte on. */
  readonly buffer: ByteBuffer;
  /** Folds a name and returns the length of the result in bytes. */
  write(names: Uint8Array, start: number, end: number): number;
}

/**
 * Two texts are the same keyword if their keys have the same bytes: NFC, case folded, white space trimmed and
 * collapsed.
 *
 * Nearly every name is folded character by character and never converted to a string (see {@link CharacterFolds}).
 */
export class TextKey implements NameFold {
  readonly buffer = new ByteBuffer();

  write(names: Uint8Array, start: number, end: number): number {
    this.buffer.reserve(CharacterFolds.growth * (end - start));
    const bytes = this.buffer.bytes;
    let length = 0;
    let before = 0;
    for (let index = start; index < end; ) {
      const byte = asciiFolds[names[index]!]!;
      if (byte >= 0x80) {
        const flags = keyFolds.find(names, index);
        if (!isFoldedAlone(flags, before))
          return writeText(this.buffer, keyOf(decoder.decode(names.subarray(start, end))));
        before = flags;
        const written = writeFold(keyFolds, flags, names, index, bytes, length);
        index += keyFolds.size;
        if (written > 1 || bytes[length] !== 0x20) {
          length += written;
          continue;
        }
      } else {
        before = 0;
        bytes[length] = byte;
        index++;
        if (byte !== 0x20) {
          length++;
          continue;
        }
      }
      // Keeps only the first of consecutive white space characters, as a space, and none at the start.
      if (length > 0 && bytes[length - 1] !== 0x20) length++;
    }
    return length > 0 && bytes[length - 1] === 0x20 ? length - 1 : length;
  }
}

/** Folds names for search and keeps white space: see {@link foldForSearch}. */
export class SearchKey implements NameFold {
  readonly buffer = new ByteBuffer();

  write(names: Uint8Array, start: number, end: number): number {
    this.buffer.reserve(CharacterFolds.growth * (end - start));
    const bytes = this.buffer.bytes;
    let length = 0;
    let before = 0;
    for (let index = start; index < end; ) {
      const byte = names[index]!;
      if (byte < 0x80) {
        bytes[length++] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
        before = 0;
        index++;
        continue;
      }
      const flags = searchFolds.find(names, index);
      if (!isFoldedAlone(flags, before))
        return writeText(this.buffer, foldForSearch(decoder.decode(names.subarray(start, end))));
      before = flags;
      length += writeFold(searchFolds, flags, names, index, bytes, length);
      index += searchFolds.size;
    }
    return length;
  }
}

/** Whether the fold of a character does not depend on the others. @param before the flags of the one before it */
function isFoldedAlone(flags: number, before: number): boolean {
  return (flags & isAlone) !== 0 && ((flags & startsWithMark) === 0 || (before & endsWithMark) === 0);
}

/** Writes the fold of the character that was found at `index`. Returns its size. */
function writeFold(
  { page, at, size }: CharacterFolds,
  flags: number,
  names: Uint8Array,
  index: number,
  target: Uint8Array,
  to: number,
): number {
  const [source, from, length] =
    page === unchangedPage ? [names, index, size] : [page, at + 1, flags & entryFlags.length];
  for (let byte = 0; byte < length; byte++) target[to + byte] = source[from + byte]!;
  return length;
}

const { isAlone, startsWithMark, endsWithMark } = entryFlags;

/** ASCII in lower case, white space as spaces; all other bytes unchanged. */
const asciiFolds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x09 && byte <= 0x0d) return 0x20;
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
});

function writeText(buffer: ByteBuffer, text: string): number {
  const encoded = encoder.encode(text);
  buffer.reserve(encoded.length);
  buffer.bytes.set(encoded);
  return encoded.length;
}

/** The text key of a text. */
export function keyOf(text: string): string {
  return normalForm(foldCase(normalForm(text, 'NFC')), 'NFC')
    .replace(/\s+/gu, ' ')
    .trim();
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** A byte buffer that grows and never shrinks. */
class ByteBuffer {
  bytes = new Uint8Array(256);
  /** A view of `bytes`. */
  view = new DataView(this.bytes.buffer);

  /** Makes room for `length` bytes. Growing discards the contents. */
  reserve(length: number): void {
    if (length <= this.bytes.length) return;
    this.bytes = new Uint8Array(2 * length);
    this.view = new DataView(this.bytes.buffer);
  }
}
