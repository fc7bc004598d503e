import { variantsOf } from '../words/variants.ts';
import type { Words } from '../words/words.ts';

/** What is clustered: different texts, with what is known about them in parallel columns. */
export type KeywordList = {
  readonly texts: readonly string[];
  /** Monthly searches; NaN where unknown. */
  readonly volume: Float64Array;
  /** Result URLs of each keyword, best first; empty where unknown. */
  readonly urls?: readonly (readonly string[])[];
};

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
  const { of, head } = variantsOf(texts, volume, words);
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

/** Some of the groups, by their numbers. `of` is not meaningful for them. */
export const someOf = ({ texts, volume, weight }: Groups, rows: Int32Array): Omit<Groups, 'of'> => ({
  texts: Array.from(rows, (row) => texts[row]!),
  volume: Float64Array.from(rows, (row) => volume[row]!),
  weight: Float64Array.from(rows, (row) => weight[row]!),
});

/** Up to so many groups, all are clustered in full. */
const mostInFull = 80_000;
const headShare = 0.6;
const fewestHeads = 60_000;
const mostHeads = 200_000;

/** The groups that are clustered in full, and those that are assigned to what is found; both in order. */
export type HeadAndTail = { readonly head: Int32Array; readonly tail: Int32Array };

/**
 * Divides the groups of a long list: the head has the highest volumes, of equal ones the shortest texts, of these the first
 * in the order of code units.
 *
 * @param force divides a short list, too, by the same share
 */
export function headAndTail({ texts, volume }: Omit<Groups, 'of' | 'weight'>, force = false): HeadAndTail {
  const rows = Int32Array.from(texts, (_, row) => row);
  if (rows.length <= mostInFull && !force) return { head: rows, tail: new Int32Array(0) };
  const share = Math.round(headShare * rows.length);
  const count = force ? share : Math.min(mostHeads, Math.max(fewestHeads, share));
  const known = volume.map((value) => (Number.isNaN(value) ? -1 : value));
  const order = rows.toSorted(
    (a, b) => known[b]! - known[a]! || texts[a]!.length - texts[b]!.length || (texts[a]! < texts[b]! ? -1 : 1),
  );
  return { head: order.slice(0, count).sort(), tail: order.slice(count).sort() };
}
