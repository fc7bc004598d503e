import type { ReadWords } from './words.ts';

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
export function variantKey(keyword: string, words: ReadWords): string {
  const all = words(keyword);
  const meant = all.filter((word) => !word.isStopWord);
  const stems = (meant.length > 0 ? meant : all).map((word) => word.stem);
  return stems.length > 0 ? stems.sort().join(' ') : `=${keyword}`;
}
