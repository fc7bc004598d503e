/** Sum of the known values of a branch's distinct keywords, and how many are known. */
export type Sum = { readonly sum: Float64Array; readonly known: Uint32Array };

/**
 * The value, or the member of a set, that most of a branch's distinct keywords have, 0 for none; how many have it, and how
 * many have any.
 */
export type Categories = {
  readonly top: Uint8Array;
  readonly topCount: Uint32Array;
  readonly known: Uint32Array;
  /** Distinct keywords of the whole tree by value; 0 for the first one, which is unknown. */
  readonly counts: Uint32Array;
};

/**
 * A sum that may also know the one weighted by impressions: the products, the impressions, and of how many keywords both
 * are known and the impressions are not 0. A branch in which none is has its plain mean.
 */
export type MeanSum = Sum & {
  readonly byImpressions?: {
    readonly products: Float64Array;
    readonly weight: Float64Array;
    readonly weighed: Uint32Array;
  };
};

/** A sum that also knows the volume-weighted one, over keywords whose value and volume are both known. */
export type WeightedSum = Sum & { readonly weighted: Float64Array; readonly weight: Float64Array };
