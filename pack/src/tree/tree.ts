import type { MetricColumns, UploadTables, WithheldField } from '../upload/upload-tables.ts';
import type { FieldValues } from './field-values.ts';
import type { NodeFolds } from './fold-lengths.ts';
import type { RepeatedEntries } from './keyword-numbers.ts';
import type { Categories, MeanSum, Sum, WeightedSum } from './sums.ts';
import type { TrendSum, TrendValues } from './trend-roll-up.ts';

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
  /** The row each level begins with; the root's is 0. */
  readonly levels: Uint32Array;
  /** Addresses, low half first, 2 numbers a node. */
  readonly address: Uint32Array;
  readonly folds: NodeFolds;
  /** The number of the node's keyword, -1 for a node that is none. */
  readonly keyword: Int32Array;
  /** By number of a keyword: its first row in the `keywords` array, -1 for one that only nodes name. */
  readonly entry: Int32Array;
  /** The nodes' own values, one row a node: its own metric wins, else the joined keyword's. */
  readonly own: MetricColumns;
  /** What else the file says of the nodes, the field that is known most often first. Their names differ. */
  readonly fields: readonly FieldValues[];
  readonly withheld: readonly WithheldField[];
  readonly trend: TrendValues | undefined;
  readonly rollUp: RollUp;
  /** First entries of the keywords that no node names, heaviest first. */
  readonly unplaced: Uint32Array;
  /** Entries that were merged into the first one with their text; undefined where there are none. */
  readonly repeats: RepeatedEntries | undefined;
  readonly counts: TreeCounts;
};

export type TreeCounts = {
  /** Nodes of the hierarchy, the root counted. */
  readonly nodes: number;
  /** Length of the `keywords` array. */
  readonly keywords: number;
  /** Different keyword texts in nodes and array together. */
  readonly distinct: number;
  /** Different keyword texts that no node has. */
  readonly notInHierarchy: number;
  /** Entries that repeat the text of one before them. */
  readonly merged: number;
  /** Levels below the root. */
  readonly depth: number;
};

/**
 * What a branch adds up to. Columns have one row a branch, in document order: leaves, most of a tree, are their own
 * roll-up. A metric of which nothing is known in the whole tree has no column.
 */
export type RollUp = {
  /** Node → row of the columns below; -1 for a leaf. */
  readonly branch: Int32Array;
  /** Branch → branch of its parent; the root's is 0. */
  readonly parent: Uint32Array;
  readonly childCount: Uint32Array;
  readonly leaves: Uint32Array;
  /** Nodes of the branch, its root counted. */
  readonly nodes: Uint32Array;
  readonly keywords: Uint32Array;
  /** Further occurrences of keywords that are counted once. */
  readonly repeats: Uint32Array;
  readonly volume: Sum | undefined;
  readonly difficulty: WeightedSum | undefined;
  readonly cpc: WeightedSum | undefined;
  readonly competition: Sum | undefined;
  readonly position: MeanSum | undefined;
  /** Keywords with each intent, 4 numbers a branch, and keywords whose intent is known. */
  readonly intent: { readonly counts: Uint32Array; readonly known: Uint32Array } | undefined;
  /** Node of the keyword with the highest known volume, the first in the file among equals; -1 for none. */
  readonly top: Int32Array;
  /** Sums over the children, where a keyword under several of them counts several times. */
  readonly childKeywords: Uint32Array;
  readonly childVolume: Float64Array;
  /** By field. */
  readonly fields: readonly (MeanSum | Categories)[];
  readonly trend: TrendSum | undefined;
};
