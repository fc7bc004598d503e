import { keyOf } from '@kc/pack/names/text-key';
import { hashOf } from '../features/hash.ts';
import { joinedWords, variantsOf } from '../words/variants.ts';
import type { Words } from '../words/words.ts';

/** The keywords that are clustered, in parallel columns. All texts differ. */
export type KeywordList = {
  readonly texts: readonly string[];
  /** Monthly searches; NaN where unknown. */
  readonly volume: Float64Array;
  /** Result URLs of each keyword, best first; empty where unknown. */
  readonly urls?: readonly (readonly string[])[];
};

/** Copies some keywords into a list of their own. @param rows their rows in the list, in the order of the copy */
export const someKeywords = ({ texts, volume, urls }: KeywordList, rows: Int32Array): KeywordList => ({
  texts: Array.from(rows, (row) => texts[row]!),
  volume: Float64Array.from(rows, (row) => volume[row]!),
  ...(urls && { urls: Array.from(rows, (row) => urls[row]!) }),
});

/** Texts with the same key are the same keyword, in lists, maps and packs: case, Unicode composition and white space do not count. */
export const keywordKey = (text: string): string =>
  // Most keywords are plain ASCII, which needs no normalization.
  /^[!-~]+(?: [!-~]+)*$/u.test(text) ? text.toLowerCase() : keyOf(text);

/** Groups of keywords that are clustered as one, because they are spelling variants of each other. */
export type Groups = {
  /** The group of each keyword. */
  readonly of: Int32Array;
  /** The text of the keyword that stands for each group: the one with the highest volume. */
  readonly texts: readonly string[];
  /** The volume of that keyword; NaN where unknown. */
  readonly volume: Float64Array;
  /** How many keywords each group has. */
  readonly weight: Float64Array;
};

export function groupsOf({ texts, volume }: KeywordList, words: Words): Groups {
  const { of, head } = variantsOf(texts, volume, joinedWords(words, texts));
  const weight = new Float64Array(head.length);
  for (const group of of) weight[group]!++;
  return {
    of,
    texts: Array.from(head, (keyword) => texts[keyword]!),
    volume: Float64Array.from(head, (keyword) => volume[keyword]!),
    weight,
  };
}

/** Makes every keyword a group of its own. */
export const singleGroups = ({ texts, volume }: KeywordList): Groups => ({
  of: Int32Array.from(texts, (_, row) => row),
  texts,
  volume,
  weight: new Float64Array(texts.length).fill(1),
});

/** A list with at most this many groups is clustered in full. The head of a longer one is a share of its groups, within limits. */
const maxInFull = 80_000;
const headShare = 0.6;
const minHeads = 60_000;
const maxHeads = 200_000;

/**
 * Groups in two parts. The neighbours of the first `head` groups are searched for among all of these. The others are the tail: they are compared with
 * the head, and only with few of each other.
 */
type HeadAndTail = { readonly groups: Groups; readonly head: number };

/**
 * Puts the head of a long list first: the groups with the highest volumes. Of groups with equal volumes, a hash of their texts chooses, so that they
 * represent the rest; the shortest ones, say, would not. Within the head and within the tail, the order is kept.
 *
 * @param force also divides a short list, by the same share
 */
export function headAndTail(groups: Groups, force = false): HeadAndTail {
  const { texts, volume } = groups;
  if (texts.length <= maxInFull && !force) return { groups, head: texts.length };
  const share = Math.round(headShare * texts.length);
  const head = force ? share : Math.min(maxHeads, Math.max(minHeads, share));
  const known = volume.map((value) => (Number.isNaN(value) ? -1 : value));
  const chance = Uint32Array.from(texts, (text) => hashOf(text, 1));
  const order = Uint32Array.from(texts, (_, row) => row).sort(
    (a, b) => known[b]! - known[a]! || chance[a]! - chance[b]! || (texts[a]! < texts[b]! ? -1 : 1),
  );
  order.subarray(0, head).sort();
  order.subarray(head).sort();
  return { groups: inOrder(groups, order), head };
}

/** @param order the old number of each group, by its new one */
function inOrder({ of, texts, volume, weight }: Groups, order: Uint32Array): Groups {
  const place = new Int32Array(order.length);
  order.forEach((group, index) => {
    place[group] = index;
  });
  return {
    of: of.map((group) => place[group]!),
    texts: Array.from(order, (group) => texts[group]!),
    volume: Float64Array.from(order, (group) => volume[group]!),
    weight: Float64Array.from(order, (group) => weight[group]!),
  };
}
