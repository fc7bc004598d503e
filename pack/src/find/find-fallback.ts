import type { Texts } from '../format/pack-reader.ts';

/**
 * How a text matches: not at all, equal to the needle, starting with it, containing a word that starts with it, or
 * containing it anywhere.
 */
export const hitKind = { none: 0, whole: 1, beginning: 2, word: 3, part: 4 } as const;

/**
 * Finds how well each of the texts from `first` to before `end` matches a non-empty needle.
 *
 * @param kinds by text; must be 0 before the call
 * @returns the number of texts that contain the needle
 */
export type FindTexts = (texts: Texts, first: number, end: number, needle: Uint8Array, kinds: Uint8Array) => number;

export interface TextFinder {
  readonly find: FindTexts;
  /**
   * Provides memory for texts in which searching is faster; undefined if there is not enough. The last start is the end of the last
   * text.
   */
  readonly room?: (starts: number, bytes: number) => { start: Float64Array; bytes: Uint8Array } | undefined;
}

/**
 * The TypeScript version, for platforms without the other. Reads less than every byte, plus about ten steps per match.
 */
export const findFallback: FindTexts = ({ start, bytes }, first, end, needle, kinds) => {
  const find = createFinder(bytes, needle);
  const bytesEnd = start[end]!;
  let text = first;
  let found = 0;
  for (let at = find(start[first]!, bytesEnd); at >= 0; ) {
    text = placeOf(start, at, text, end);
    const textEnd = start[text + 1]!;
    // A match may extend across the end of a text into the next one.
    if (at + needle.length > textEnd) at = find(at + 1, bytesEnd);
    else {
      kinds[text] = kindOf(bytes, needle, at, start[text]!, textEnd, find);
      found++;
      at = find(textEnd, bytesEnd);
    }
  }
  return found;
};

/** @param at the first match in the text */
function kindOf(
  bytes: Uint8Array,
  needle: Uint8Array,
  at: number,
  textStart: number,
  textEnd: number,
  find: (from: number, end: number) => number,
): number {
  if (at === textStart) return textEnd - textStart === needle.length ? hitKind.whole : hitKind.beginning;
  for (let match = at; match >= 0; match = find(match + 1, textEnd)) {
    if (!isLetter(bytes[match - 1]!)) return hitKind.word;
  }
  return hitKind.part;
}

/** Bytes beyond ASCII nearly always belong to letters. */
function isLetter(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

/**
 * Finds the one of `count` runs that contains `at`, by their ascending starts. `from` is a run that starts at or before
 * `at`. If several runs start at the same position, returns the last one, which is the non-empty one. Galloping search,
 * then bisection.
 */
function placeOf(start: Float64Array | Uint32Array, at: number, from: number, count: number): number {
  let low = from;
  let step = 1;
  while (low + step < count && start[low + step]! <= at) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, count);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (start[middle]! <= at) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Finds the first match that starts at or after `from` and ends by `end`; -1 for none.
 * Source: Horspool, "Practical fast searching in strings", Software: Practice and Experience 10(6), 1980.
 */
function createFinder(bytes: Uint8Array, needle: Uint8Array): (from: number, end: number) => number {
  const last = needle.length - 1;
  const lastByte = needle[last]!;
  const shift = new Uint32Array(256).fill(needle.length);
  for (let index = 0; index < last; index++) shift[needle[index]!] = last - index;
  return (from, end) => {
    for (let at = from + last; at < end; ) {
      const byte = bytes[at]!;
      if (byte === lastByte) {
        let index = last - 1;
        let place = at - 1;
        while (index >= 0 && bytes[place] === needle[index]) {
          index--;
          place--;
        }
        if (index < 0) return place + 1;
      }
      at += shift[byte]!;
    }
    return -1;
  };
}
