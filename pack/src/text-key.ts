import { LetterFolds } from './letter-folds.ts';

/**
 * Two texts are the same keyword when their keys are the same bytes: NFC, case folded, blanks trimmed and collapsed.
 *
 * The key of one name at a time, in a buffer that the next call overwrites. ASCII, which nearly every name is, never
 * becomes a string; nor do letters that fold by themselves (see {@link LetterFolds}).
 * Source: decisions §4.4.
 */
export function createTextKey(): (names: Uint8Array, start: number, end: number) => Uint8Array {
  const letters = new LetterFolds(keyOf);
  let buffer = new Uint8Array(256);
  return (names, start, end) => {
    const most = LetterFolds.growth * (end - start);
    if (buffer.length < most) buffer = new Uint8Array(2 * most);
    let length = 0;
    let isBlankDue = false;
    for (let index = start; index < end; index++) {
      const byte = names[index]!;
      if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) {
        isBlankDue = length > 0;
        continue;
      }
      if (isBlankDue) buffer[length++] = 0x20;
      isBlankDue = false;
      if (byte < 0x80) buffer[length++] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
      else {
        const written = letters.write(names, index, buffer, length);
        if (written === 0) return encoder.encode(keyOf(decoder.decode(names.subarray(start, end))));
        length += written;
        index++;
      }
    }
    return buffer.subarray(0, length);
  };
}

/**
 * Name as search sees it: case folded, accents and other combining marks off, blanks as they are. Same contract as
 * {@link createTextKey}.
 */
export function createSearchKey(): (names: Uint8Array, start: number, end: number) => Uint8Array {
  const letters = new LetterFolds(foldForSearch);
  let buffer = new Uint8Array(256);
  return (names, start, end) => {
    const most = LetterFolds.growth * (end - start);
    if (buffer.length < most) buffer = new Uint8Array(2 * most);
    let length = 0;
    for (let index = start; index < end; index++) {
      const byte = names[index]!;
      if (byte < 0x80) buffer[length++] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
      else {
        const written = letters.write(names, index, buffer, length);
        if (written === 0) return encoder.encode(foldForSearch(decoder.decode(names.subarray(start, end))));
        length += written;
        index++;
      }
    }
    return buffer.subarray(0, length);
  };
}

/** Text as search sees it; see {@link createSearchKey}. */
export function foldForSearch(text: string): string {
  return foldCase(text.normalize('NFKD').replace(/\p{M}+/gu, '')).normalize('NFC');
}

function keyOf(text: string): string {
  return foldCase(text.normalize('NFC')).normalize('NFC').replace(/\s+/gu, ' ').trim();
}

// Up and down again, so that letters with several lower-case forms (ß and ss, σ and ς) become one.
const foldCase = (text: string) => text.toLowerCase().toUpperCase().toLowerCase();

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
