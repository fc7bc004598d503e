import { normalForm } from '@kc/pack/names/normal-form';
import { englishFunctionWords, grammarOf } from './languages.ts';

/** A word of a keyword, as features and variants see it. */
export type Word = {
  readonly text: string;
  readonly stem: string;
  readonly isStopWord: boolean;
  /** Whether it says nothing by itself: a stop word, or one such as "how", which only changes what a keyword means. */
  readonly isFunctionWord: boolean;
  /** Whether it is a few letters of a script without spaces, which may begin and end inside words. */
  readonly isPiece: boolean;
};

/** The words of a keyword, in their order. */
export type ReadWords = (keyword: string) => readonly Word[];

/** Cuts keywords into the stems of their words. */
export type Words = ReadWords & {
  /** Finds where the words stand. */
  readonly spelled: (keyword: string) => SpelledWords;
  /** The word that stands for all words of the same intent, by the letters of one of them: "login" for "signin". */
  readonly sameAs: (letters: string) => Word | undefined;
};

/** A keyword, and where each of its words begins and ends in `text`, in the order of its words. */
type SpelledWords = {
  readonly text: string;
  readonly start: readonly number[];
  readonly end: readonly number[];
};

/** A run of letters and digits; inside it, signs as in "node.js", "c++", "wi-fi" and "children's". */
const run = /[\p{L}\p{N}\p{M}]+(?:[.+#'’-]?[\p{L}\p{N}\p{M}+#]+)*/gu;
/** Scripts without spaces between words, and how many letters make a piece. */
const pieces = [
  { script: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu, length: 2 },
  { script: /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu, length: 3 },
];
const unspaced = new RegExp(pieces.map(({ script }) => script.source).join('|'), 'u');
const marks = /\p{M}+/gu;

/**
 * Reads the words of a language. Case never matters; accents matter except in English, where people leave them out ("cafe", "café"). Runs of Chinese,
 * Japanese and Korean are cut into pairs of letters and those of Thai, Lao and Khmer into triples, because a dictionary would change with the version
 * of Node.
 *
 * @param language ISO 639-1 code
 */
export function wordsOf(language: string): Words {
  const { stem, stopWords, oneIntent } = grammarOf(language);
  // Lists in other languages have English words, too.
  const isFunctionWord = (text: string): boolean => stopWords.has(text) || englishFunctionWords.has(text);
  const isEnglish = language === 'en';
  const known = new Map<string, Word>();
  const wordOf = (text: string): Word => {
    let word = known.get(text);
    if (!word) {
      word = {
        text,
        stem: stem(text),
        isStopWord: stopWords.has(text),
        isFunctionWord: isFunctionWord(text),
        isPiece: unspaced.test(text),
      };
      known.set(text, word);
    }
    return word;
  };
  const plain = (keyword: string): string => {
    const lower = keyword.toLowerCase();
    return isEnglish ? normalForm(lower, 'NFKD').replace(marks, '') : normalForm(lower, 'NFKC');
  };
  const cutAll = (keyword: string): string[] =>
    (plain(keyword).match(run) ?? []).flatMap((token) =>
      unspaced.test(token) ? cut(token).map(({ text }) => text) : [token],
    );
  const words = (keyword: string) => cutAll(keyword).map(wordOf);
  const spelled = (keyword: string): SpelledWords => {
    const text = plain(keyword);
    const found = Array.from(text.matchAll(run)).flatMap(({ 0: token, index }) =>
      (unspaced.test(token) ? cut(token) : [{ text: token, at: 0 }]).map((piece) => ({
        start: index + piece.at,
        end: index + piece.at + piece.text.length,
      })),
    );
    const composed = normalForm(keyword, 'NFC');
    return {
      // If the text has another length without accents and capitals, places in it would be wrong, so it is given without them.
      text: composed.length === text.length ? composed : text,
      start: found.map(({ start }) => start),
      end: found.map(({ end }) => end),
    };
  };
  const sameAs = (letters: string): Word | undefined => {
    const word = oneIntent?.get(letters);
    return word === undefined ? undefined : wordOf(word);
  };
  return Object.assign(words, { spelled, sameAs });
}

type Piece = { readonly text: string; readonly at: number };

/** The pieces of a run with letters of a script without spaces, and where they stand in it, in the order of the text. */
function cut(token: string): Piece[] {
  const found: Piece[] = [];
  let rest = token;
  for (const { script, length } of pieces) {
    for (const { 0: letters, index } of rest.matchAll(script)) found.push(...windows(letters, length, index));
    rest = rest.replace(script, (letters) => ' '.repeat(letters.length));
  }
  for (const { 0: text, index } of rest.matchAll(/[^ ]+/g)) found.push({ text, at: index });
  return found.sort((one, other) => one.at - other.at);
}

function windows(run: string, length: number, first: number): Piece[] {
  const letters = [...run];
  const found: Piece[] = [];
  let at = first;
  for (let index = 0; index === 0 || index + length <= letters.length; index++) {
    found.push({ text: letters.slice(index, index + length).join(''), at });
    at += letters[index]!.length;
  }
  return found;
}
