import type { MetricColumns, UploadTables } from './upload-tables.ts';

/**
 * A hierarchy joined with its keywords and rolled up, ready to be written.
 *
 * Columns are in document order, as in `tables`, except `order`: the node at each row of the pack, breadth first,
 * siblings contiguous and heaviest first.
 */
export type Tree = {
  readonly tables: UploadTables;
  /** Pack row → node. */
  readonly order: Uint32Array;
  /** Node → pack row. */
  readonly rowOf: Uint32Array;
  readonly childCount: Uint32Array;
  readonly depth: Uint32Array;
  /** Addresses, low half first, 2 numbers a node. */
  readonly address: Uint32Array;
  readonly own: OwnMetrics;
  readonly rollUp: RollUp;
  /** Entries of the `keywords` array that no node names, heaviest first. */
  readonly unplaced: Uint32Array;
  readonly counts: TreeCounts;
};

export type TreeCounts = {
  /** Nodes of the hierarchy, the root counted. */
  readonly nodes: number;
  /** Length of the `keywords` array. */
  readonly keywords: number;
  /** Different keyword texts in nodes and array together. */
  readonly distinct: number;
  readonly notInHierarchy: number;
  /** Levels below the root. */
  readonly depth: number;
};

/** The nodes' own values, one row a node: its own metric wins, else the joined keyword's. */
export type OwnMetrics = MetricColumns & {
  /** 1 for a keyword. */
  readonly isKeyword: Uint8Array;
  /** Row of the `keywords` array joined to the node, -1 for none. */
  readonly entry: Int32Array;
};

/** Sum of the known values of a branch's distinct keywords, and how many are known. */
export type Sum = { readonly sum: Float64Array; readonly known: Uint32Array };

/** A sum that also knows the volume-weighted one, over keywords whose value and volume are both known. */
export type WeightedSum = Sum & { readonly weighted: Float64Array; readonly weight: Float64Array };

/** What a branch adds up to. Columns have one row a branch: leaves, most of a tree, are their own roll-up. */
export type RollUp = {
  /** Node → row of the columns below; -1 for a leaf. */
  readonly branch: Int32Array;
  readonly leaves: Uint32Array;
  /** Nodes of the branch, its root counted. */
  readonly nodes: Uint32Array;
  readonly keywords: Uint32Array;
  /** Further occurrences of keywords that are counted once. */
  readonly repeats: Uint32Array;
  readonly volume: Sum;
  readonly difficulty: WeightedSum;
  readonly cpc: WeightedSum;
  readonly competition: Sum;
  readonly position: Sum;
  /** Keywords with each intent, 4 numbers a branch, and keywords whose intent is known. */
  readonly intent: Uint32Array;
  readonly intentKnown: Uint32Array;
  /** Node of the keyword with the highest known volume, the first in the file among equals; -1 for none. */
  readonly top: Int32Array;
  /** Sums over the children, where a keyword under several of them counts several times. */
  readonly childKeywords: Float64Array;
  readonly childVolume: Float64Array;
};
