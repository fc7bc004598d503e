import { normalForm } from '@kc/pack/names/normal-form';
import { hashOf } from '../features/hash.ts';
import { joinedWords, variantsOf } from '../words/variants.ts';
import type { Words } from '../words/words.ts';

/** What is clustered: different texts, with what is known about them in parallel columns. */
export type KeywordList = {
  readonly texts: readonly string[];
  /** Monthly searches; NaN where unknown. */
  readonly volume: Float64Array;
  /** Result URLs of each keyword, best first; empty where unknown. */
  readonly urls?: readonly (readonly string[])[];
};

/** Some keywords of a list as a list of their own. @param rows in their order */
export const someKeywords = ({ texts, volume, urls }: KeywordList, rows: Int32Array): KeywordList => ({
  texts: Array.from(rows, (row) => texts[row]!),
  volume: Float64Array.from(rows, (row) => volume[row]!),
  ...(urls && { urls: Array.from(rows, (row) => urls[row]!) }),
});

/** Keywords are the same whatever their case, composition and blanks. */
export const keywordKey = (text: string): string =>
  normalForm(text, 'NFC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();

/** Keywords that are clustered as one, because they differ in spelling only. */
export type Groups = {
  /** The group of each keyword. */
  readonly of: Int32Array;
  /** The text of each group's heaviest keyword. */
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

/** Every keyword as a group of its own. */
export const singleGroups = ({ texts, volume }: KeywordList): Groups => ({
  of: Int32Array.from(texts, (_, row) => row),
  texts,
  volume,
  weight: new Float64Array(texts.length).fill(1),
});

/** Up to so many groups, all are clustered in full. */
const maxInFull = 80_000;
const headShare = 0.6;
const minHeads = 60_000;
const maxHeads = 200_000;

/** Groups in two parts: the first `head` are clustered in full, and the others are only compared with those. */
type HeadAndTail = { readonly groups: Groups; readonly head: number };

/**
 * Puts the head of a long list first: the groups with the highest volumes. Among equal ones chance decides, by a hash of
 * their texts: the shortest ones, say, would not stand for the rest. Within both parts, the order stays.
 *
 * @param force divides a short list, too, by the same share
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

/** @param order the present number of each group */
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
