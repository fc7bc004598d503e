import type { UploadField } from '../upload/upload-tables.ts';

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

/**
 * A sum, optionally with impression weights: the sum of products, the sum of impressions, and the number of keywords
 * for which both are known and the impressions are not 0. A branch without such keywords uses its plain mean.
 */
export type MeanSum = Sum & {
  readonly byImpressions?: {
    readonly products: Float64Array;
    readonly weight: Float64Array;
    readonly weighed: Uint32Array;
  };
};

/** A sum that also includes the volume-weighted sum, over keywords whose value and volume are both known. */
export type WeightedSum = Sum & { readonly weighted: Float64Array; readonly weight: Float64Array };

/** A field of nodes: the node's own value, otherwise the value of its keyword's entry. */
export type FieldValues = {
  readonly field: UploadField;
  /**
   * NaN for an unknown number, 0 for an unknown category. For a set, returns one half of its bits; half 0 is the low
   * one.
   */
  at(node: number, half?: 0 | 1): number;
};
