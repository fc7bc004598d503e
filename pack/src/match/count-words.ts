import type { SearchInput } from '../find/find-names.ts';
import { textAt } from '../find/folded-names.ts';
import { eachPiece, noPause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import type { PackReader, Texts } from '../format/pack-reader.ts';

/** Longer names count as having this many words. */
export const maxWords = 255;

/**
 * The number of words in the name of every node, by Unicode word segmentation: "don't" and "node.js" are one word,
 * "wi-fi" is two, and Japanese or Thai is divided by the dictionaries of the JavaScript engine.
 *
 * Names in alphabetic scripts are counted by the rules below, which need no dictionary. For other scripts the result depends on the engine.
 * That does no harm: only the server counts words, its Node version is pinned, and no count is stored.
 * Computed once and cached by the open pack: 1 byte per node.
 * Cost: about 30 ns per name in ASCII, 1 µs in another alphabet, 20 µs where a dictionary is needed.
 *
 * Source: https://www.unicode.org/reports/tr29/#Word_Boundaries
 */
export const wordCounts = oncePerPack(countAll);

async function countAll(pack: PackReader, { find, pause = noPause }: SearchInput): Promise<Uint8Array> {
  const texts = await pack.texts('name', find?.room);
  const counted = new Uint8Array(pack.metadata.nodes);
  const others: number[] = [];
  await eachPiece(counted.length, pause, (from, end) => countAscii(texts, counted, others, from, end));
  for (const [at, row] of others.entries()) {
    if (at % namesAtATime === 0) await pause();
    counted[row] = Math.min(maxWords, countWords(textAt(texts, row)));
  }
  return counted;
}

/** Names between two pauses: at most a few milliseconds. */
const namesAtATime = 256;

/** The number of words in a text; see {@link wordCounts}. */
export function countWords(text: string): number {
  if (isAlphabetic.test(text)) return text.match(words)?.length ?? 0;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count++;
  return count;
}

let segmenter: Intl.Segmenter | undefined;

/** Matches texts of ASCII characters and alphabetic letters, with marks only after a letter, and without signs that have rules of their own. */
const isAlphabetic = /^(?:[\0-\x7f’]|(?=\p{L})[\p{Ll}\p{Lu}\p{Script=Arabic}\p{Script=Devanagari}]\p{M}*)*$/u;

/**
 * A run of letters, digits and underscores with at least one letter or digit. Single signs connect two letters or two
 * digits: the rules WB5 to WB13b for the characters above.
 */
const words = (() => {
  const mark = '\\p{M}*';
  const letter = `[\\p{L}]${mark}`;
  const digit = `\\p{Nd}${mark}`;
  const one = `(?:${letter}(?:[:.'’](?=\\p{L}))?|${digit}(?:[,;.'’](?=\\p{Nd}))?)`;
  return new RegExp(`(?<!_)_*${one}(?:_|${one})*`, 'gu');
})();

const [other, letter, digit, underscore] = [0, 1, 2, 3];

/** By ASCII character: its kind, and whether it connects two letters (1) or two digits (2). */
const kinds = new Uint8Array(128);
const connects = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') kinds[char.charCodeAt(0)] = letter!;
for (const char of '0123456789') kinds[char.charCodeAt(0)] = digit!;
kinds['_'.charCodeAt(0)] = underscore!;
for (const char of ":.'") connects[char.charCodeAt(0)]! |= letter!;
for (const char of ",;.'") connects[char.charCodeAt(0)]! |= digit!;

/** Counts the words of ASCII names, and lists the rows of the others. */
function countAscii({ start, bytes }: Texts, counted: Uint8Array, others: number[], from: number, end: number): void {
  for (let row = from; row < end; row++) {
    const until = start[row + 1]!;
    let count = 0;
    let before = other!;
    let isCounted = false;
    let at = start[row]!;
    for (; at < until; at++) {
      const byte = bytes[at]!;
      if (byte >= 128) break;
      const kind = kinds[byte]!;
      if (kind === other) {
        const isInside =
          (connects[byte]! & before) !== 0 && before !== underscore && at + 1 < until && bytes[at + 1]! < 128;
        // A connecting sign leaves the word open, as the same kind follows.
        if (isInside && kinds[bytes[at + 1]!] === before) continue;
        before = other!;
        isCounted = false;
        continue;
      }
      if (kind !== underscore && !isCounted) {
        isCounted = true;
        count++;
      }
      before = kind;
    }
    if (at < until) others.push(row);
    else counted[row] = Math.min(maxWords, count);
  }
}
