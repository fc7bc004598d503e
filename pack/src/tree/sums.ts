import type { UploadField } from '../upload/upload-tables.ts';
import { addToAncestors, type Occurrences } from './occurrences.ts';

/** The sum of the known values of a branch's distinct keywords, and the number of known values. */
export type Sum = { readonly sum: Float64Array; readonly known: Uint32Array };

/**
 * The most frequent value or set member among a branch's distinct keywords, 0 for none; how many keywords have it, and
 * how many have any known value.
 */
export type Categories = {
  readonly top: Uint8Array;
  readonly topCount: Uint32Array;
  readonly known: Uint32Array;
  /** Distinct keywords of the whole tree by value. The first value means unknown and has 0. */
  readonly counts: Uint32Array;
};

/** Over the keywords whose value and weight are known: the sum of products, the sum of weights, and the number of keywords. */
export type Weighted = {
  readonly weighted: Float64Array;
  readonly weight: Float64Array;
  readonly weighed: Uint32Array;
};

/** A sum that also includes the volume-weighted sum. */
export type WeightedSum = Sum & Omit<Weighted, 'weighed'>;

/** A sum, optionally also weighted by impressions that are not 0. A branch without such keywords uses its plain mean. */
export type MeanSum = Sum & { readonly byImpressions?: Weighted };

/** A number of a node, NaN if unknown. */
export type ValueOf = (node: number) => number;

/** A field of nodes: the node's own value, otherwise the value of its keyword's entry. */
export type FieldValues = {
  readonly field: UploadField;
  /**
   * NaN for an unknown number, 0 for an unknown category. For a set, returns one half of its bits; half 0 is the low
   * one.
   */
  at(node: number, half?: 0 | 1): number;
};

/** Adds up a number of the distinct keywords of every branch. */
export function sumUp({ branches, place, repeatNode, repeatBranch }: Occurrences, numberOf: ValueOf): Sum {
  const sum = new Float64Array(branches.count);
  const known = new Uint32Array(branches.count);
  const add = (branch: number, value: number, sign: 1 | -1) => {
    if (Number.isNaN(value)) return;
    sum[branch]! += sign * value;
    known[branch]! += sign;
  };
  for (let node = 0; node < place.length; node++) if (place[node]! >= 0) add(place[node]!, numberOf(node), 1);
  for (let at = 0; at < repeatNode.length; at++) add(repeatBranch[at]!, numberOf(repeatNode[at]!), -1);
  addToAncestors(branches.parent, sum);
  addToAncestors(branches.parent, known);
  return { sum, known };
}

/** {@link sumUp} for a weighted mean. */
export function weigh(all: Occurrences, numberOf: ValueOf, weightOf: ValueOf): Weighted {
  const { sum: weighted, known: weighed } = sumUp(all, (node) => numberOf(node) * weightOf(node));
  const { sum: weight } = sumUp(all, (node) => (Number.isNaN(numberOf(node)) ? Number.NaN : weightOf(node)));
  return { weighted, weight, weighed };
}

/** Whether a field can weight rates and positions. The first such field of a file does. */
export const isWeight = (field: UploadField): boolean =>
  field.kind === 'number' && field.is === 'impressions' && field.rollUp === 'sum';

/** Whether the mean of a field is weighted by impressions, like that of positions. */
export const isWeighed = (field: UploadField): boolean =>
  field.kind === 'number' && field.rollUp === 'mean' && (field.is === 'ctr' || field.is === 'previousPosition');

export const weighByImpressions = (all: Occurrences, numberOf: ValueOf, impressions: FieldValues): Weighted =>
  weigh(all, numberOf, (node) => {
    const by = impressions.at(node);
    return by > 0 ? by : Number.NaN;
  });
