import type { ReadWords, Word } from './words.ts';

/** Keywords that differ in spelling only: word order, inflection, stop words, and whatever the reading of words levels out. */
export type Variants = {
  /** The group of each keyword; groups are numbered in the order of their first keywords. */
  readonly of: Int32Array;
  /** The keyword that stands for each group: the heaviest one, of several the first. */
  readonly head: Int32Array;
};

/**
 * Groups keywords with the same stems ("red running shoes", "running shoes red", "the red running shoe").
 *
 * @param weight of each keyword, such as its search volume; NaN where unknown
 */
export function variantsOf(keywords: readonly string[], weight: Float64Array, words: ReadWords): Variants {
  const groups = new Map<string, number>();
  const head: number[] = [];
  const of = Int32Array.from(keywords, (keyword, row) => {
    const key = variantKey(keyword, words);
    const group = groups.get(key) ?? groups.size;
    if (group === groups.size) {
      groups.set(key, group);
      head.push(row);
    } else if (heavier(weight[row]!, weight[head[group]!]!)) head[group] = row;
    return group;
  });
  return { of, head: Int32Array.from(head) };
}

const heavier = (one: number, other: number): boolean => one > other || (Number.isNaN(other) && !Number.isNaN(one));

/** What all spellings of a keyword have in common. A keyword of stop words alone keeps them; one without words is its own. */
function variantKey(keyword: string, words: ReadWords): string {
  const all = words(keyword);
  const meant = all.filter((word) => !word.isStopWord);
  const stems = (meant.length > 0 ? meant : all).map((word) => word.stem);
  return stems.length > 0 ? stems.sort().join(' ') : `=${keyword}`;
}

/** Shorter words are equal to two others by chance. */
const shortestJoined = 5;
/** What is written as one word only once may be a slip. */
const minKeywords = 2;

/**
 * Reads the words of a list's keywords. Two that stand beside each other are one, if other keywords write them as one: "log in" like
 * "login", "web design" like "webdesign".
 */
export function joinedWords(words: ReadWords, texts: readonly string[]): ReadWords {
  const whole = new Map<string, { readonly word: Word; times: number }>();
  for (const text of texts) {
    for (const word of words(text)) {
      if (word.text.length < shortestJoined) continue;
      const known = whole.get(word.text);
      if (known) known.times++;
      else whole.set(word.text, { word, times: 1 });
    }
  }
  const joined = (one: Word, next: Word | undefined): Word | undefined => {
    if (!next || one.text.length + next.text.length < shortestJoined) return undefined;
    const known = whole.get(one.text + next.text);
    return known && known.times >= minKeywords ? known.word : undefined;
  };
  return (keyword) => {
    const apart = words(keyword);
    const found: Word[] = [];
    for (let at = 0; at < apart.length; at++) {
      const both = joined(apart[at]!, apart[at + 1]);
      found.push(both ?? apart[at]!);
      if (both) at++;
    }
    return found;
  };
}
