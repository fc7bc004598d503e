import type { MetricColumns, UploadTables, WithheldField } from '../upload/upload-tables.ts';
import type { NodeFolds } from './fold-lengths.ts';
import type { RepeatedEntries } from './keyword-numbers.ts';
import type { Categories, FieldValues, MeanSum, Sum, WeightedSum } from './sums.ts';
import type { TrendSum, TrendValues } from './trend-roll-up.ts';

/**
 * A hierarchy that is joined with its keywords, rolled up and ready to be written.
 *
 * Columns are in document order, like `tables`, except `order`: the node at each row of the pack, breadth first, with
 * contiguous siblings, heaviest first.
 */
export type Tree = {
  readonly tables: UploadTables;
  /** The node at each pack row. */
  readonly order: Uint32Array;
  /** The pack row of each node. */
  readonly rowOf: Uint32Array;
  /** The first row of each level; 0 for the root. */
  readonly levels: Uint32Array;
  /** Node IDs, low half first, 2 numbers per node. */
  readonly address: Uint32Array;
  readonly folds: NodeFolds;
  /** The keyword number of each node, -1 if it is not a keyword. */
  readonly keyword: Int32Array;
  /** The first row of each keyword in the `keywords` array, -1 if only nodes name it. */
  readonly entry: Int32Array;
  /** The nodes' own values, one row per node: the node's own metric, otherwise that of the joined keyword. */
  readonly own: MetricColumns;
  /** Other fields of the nodes, most known values first. Their names are unique. */
  readonly fields: readonly FieldValues[];
  readonly withheld: readonly WithheldField[];
  readonly trend: TrendValues | undefined;
  readonly rollUp: RollUp;
  /** The first entries of the keywords that no node names, heaviest first. */
  readonly unplaced: Uint32Array;
  /** Entries that were merged into the first one with their text; undefined if there are none. */
  readonly repeats: RepeatedEntries | undefined;
  readonly counts: TreeCounts;
};

export type TreeCounts = {
  /** The number of nodes in the hierarchy, including the root. */
  readonly nodes: number;
  /** The length of the `keywords` array. */
  readonly keywords: number;
  /** The number of different keyword texts in nodes and array together. */
  readonly distinct: number;
  /** The number of different keyword texts that no node has. */
  readonly notInHierarchy: number;
  /** The number of entries that repeat the text of an earlier one. */
  readonly merged: number;
  /** The number of levels below the root. */
  readonly depth: number;
};

/**
 * The totals of the branches. Columns have one row per branch, in document order: leaves, most of a tree, are their own
 * roll-up. A metric without known values in the whole tree has no column.
 */
export type RollUp = {
  /** The row of each node in the columns below; -1 for a leaf. */
  readonly branch: Int32Array;
  /** The parent of each branch; 0 for the root. */
  readonly parent: Uint32Array;
  readonly childCount: Uint32Array;
  readonly leaves: Uint32Array;
  /** The number of nodes in the branch, including its root. */
  readonly nodes: Uint32Array;
  readonly keywords: Uint32Array;
  /** The number of repeated occurrences of keywords, which are not counted again. */
  readonly repeats: Uint32Array;
  readonly volume: Sum | undefined;
  readonly difficulty: WeightedSum | undefined;
  readonly cpc: WeightedSum | undefined;
  readonly competition: Sum | undefined;
  readonly position: MeanSum | undefined;
  /** The number of keywords with each intent, 4 numbers per branch, and the number of keywords with a known intent. */
  readonly intent: { readonly counts: Uint32Array; readonly known: Uint32Array } | undefined;
  /** The node of the keyword with the highest known volume, the first in the file on a tie; -1 for none. */
  readonly top: Int32Array;
  /** Sums over the children, in which a keyword under several children counts several times. */
  readonly childKeywords: Uint32Array;
  readonly childVolume: Float64Array;
  /** By field. */
  readonly fields: readonly (MeanSum | Categories)[];
  readonly trend: TrendSum | undefined;
};
