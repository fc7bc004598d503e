import { normalForm } from '@kc/pack/names/normal-form';
import type { ReadWords, Word, Words } from './words.ts';

/** Groups of keywords that differ only in spelling: word order, inflection, stop words, and what the reading of words levels out. */
export type Variants = {
  /** The group of each keyword; groups are numbered in the order of their first keywords. */
  readonly of: Int32Array;
  /** The keyword that stands for each group: the one with the highest weight, of equal ones the first. */
  readonly head: Int32Array;
};

/**
 * Groups keywords with the same stems ("red running shoes", "running shoes red", "the red running shoe"), or the same letters
 * ("rest ui", "restui", "rest-ui").
 *
 * @param weight of each keyword, such as its search volume; NaN where unknown
 */
export function variantsOf(keywords: readonly string[], weight: Float64Array, words: ReadWords): Variants {
  const byStems = new Map<string, number>();
  const byLetters = new Map<string, number>();
  const first = Int32Array.from(keywords.keys());
  const root = (row: number): number => {
    let at = row;
    while (first[at] !== at) at = first[at] = first[first[at]!]!;
    return at;
  };
  keywords.forEach((keyword, row) => {
    const letters = lettersOf(normalForm(keyword, 'NFC').toLowerCase());
    const alike = [rowWith(byStems, variantKey(keyword, words), row)];
    if (letters !== '') alike.push(rowWith(byLetters, letters, row));
    for (const other of alike) {
      const [one, two] = [root(row), root(other)];
      first[Math.max(one, two)] = Math.min(one, two);
    }
  });
  const numbers = new Map<number, number>();
  const head: number[] = [];
  const of = Int32Array.from(keywords, (_, row) => {
    const group = numbers.get(root(row)) ?? numbers.size;
    if (group === numbers.size) {
      numbers.set(root(row), group);
      head.push(row);
    } else if (heavier(weight[row]!, weight[head[group]!]!)) head[group] = row;
    return group;
  });
  return { of, head: Int32Array.from(head) };
}

/** The row that already has a key. If none has, this one gets it and is returned. */
function rowWith(rows: Map<string, number>, key: string, row: number): number {
  const known = rows.get(key);
  if (known === undefined) rows.set(key, row);
  return known ?? row;
}

/** Spaces and signs that are optional within a word. Between digits they are not ("8.5", "10 4"). */
const separators = /(?<!\p{N})[\s.\-_'’]+|[\s.\-_'’]+(?!\p{N})/gu;

const lettersOf = (text: string): string => text.replaceAll(separators, '');

const heavier = (one: number, other: number): boolean => one > other || (Number.isNaN(other) && !Number.isNaN(one));

/** What all spellings of a keyword have in common: its sorted stems without stop words, if there are others. Without words, its text. */
function variantKey(keyword: string, words: ReadWords): string {
  const all = words(keyword);
  const contentWords = all.filter((word) => !word.isStopWord);
  const stems = (contentWords.length > 0 ? contentWords : all).map((word) => word.stem);
  return stems.length > 0 ? stems.sort().join(' ') : `=${keyword}`;
}

/** A shorter word may equal two others by chance. */
const shortestJoined = 5;
/** One keyword that writes something as one word may be a typing error. */
const minKeywords = 2;

/** The maximum number of words that are joined. */
const longestJoined = 3;

/**
 * Reads the words of a list's keywords. Neighbouring words are joined if other keywords write them as one: "log in" like "login", "end of life" like
 * "end-of-life". Those of a known intent are joined in any case: "sign in".
 */
export function joinedWords(words: Words, texts: readonly string[]): ReadWords {
  /** How many words have these letters, with or without signs inside. */
  const times = new Map<string, number>();
  for (const text of texts) {
    for (const word of words(text)) {
      const letters = lettersOf(word.text);
      if (letters.length >= shortestJoined) times.set(letters, (times.get(letters) ?? 0) + 1);
    }
  }
  const joined = (some: readonly Word[]): Word | undefined => {
    const letters = lettersOf(some.map(({ text }) => text).join(' '));
    const same = words.sameAs(letters);
    if (same || (some.length === 1 && some[0]!.text === letters)) return same;
    return (times.get(letters) ?? 0) >= minKeywords ? words(letters)[0] : undefined;
  };
  return (keyword) => {
    const apart = words(keyword);
    const found: Word[] = [];
    for (let at = 0; at < apart.length; ) {
      let length = Math.min(longestJoined, apart.length - at);
      let one = joined(apart.slice(at, at + length));
      while (!one && length > 1) one = joined(apart.slice(at, at + --length));
      found.push(one ?? apart[at]!);
      at += length;
    }
    return found;
  };
}
