import { ByteBuffer } from './byte-buffer.ts';
import { LetterFolds } from './letter-folds.ts';
import { foldCase, foldForSearch } from './search-fold.ts';

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
 * Nearly every name is ASCII and is never converted to a string; neither are letters that fold one by one (see {@link
 * LetterFolds}).
 */
export class TextKey implements NameFold {
  readonly buffer = new ByteBuffer();
  readonly #letters = new LetterFolds(keyOf);

  write(names: Uint8Array, start: number, end: number): number {
    this.buffer.reserve(LetterFolds.growth * (end - start));
    const bytes = this.buffer.bytes;
    let length = 0;
    for (let index = start; index < end; index++) {
      const byte = asciiFolds[names[index]!]!;
      if (byte < 0x80) {
        // Keeps only the first of consecutive white space characters, as a space, and none at the start.
        if (byte !== 0x20 || (length > 0 && bytes[length - 1] !== 0x20)) bytes[length++] = byte;
        continue;
      }
      const written = this.#letters.write(names, index, bytes, length);
      if (written === 0) return writeText(this.buffer, keyOf(decoder.decode(names.subarray(start, end))));
      length += written;
      index++;
    }
    return length > 0 && bytes[length - 1] === 0x20 ? length - 1 : length;
  }
}

/** Folds names for search and keeps white space: see {@link foldForSearch}. */
export class SearchKey implements NameFold {
  readonly buffer = new ByteBuffer();
  readonly #letters = new LetterFolds(foldForSearch);

  write(names: Uint8Array, start: number, end: number): number {
    this.buffer.reserve(LetterFolds.growth * (end - start));
    const bytes = this.buffer.bytes;
    let length = 0;
    for (let index = start; index < end; index++) {
      const byte = names[index]!;
      if (byte < 0x80) {
        bytes[length++] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
        continue;
      }
      const written = this.#letters.write(names, index, bytes, length);
      if (written === 0) return writeText(this.buffer, foldForSearch(decoder.decode(names.subarray(start, end))));
      length += written;
      index++;
    }
    return length;
  }
}

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
  return foldCase(text.normalize('NFC')).normalize('NFC').replace(/\s+/gu, ' ').trim();
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
