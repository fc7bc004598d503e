import type { NumberRollUp } from '../upload/upload-tables.ts';
import type { ChildRanking } from './child-ranking.ts';

/**
 * A connected part of a tree as columns, sized for one screen.
 *
 * Row `i` of every column is one node. Rows are in pack order (breadth first). Row 0 is the requested node, `parent[i]
 * < i` for every other row, and siblings are adjacent, so one forward pass can propagate values down the tree and one
 * backward pass can sum them up. Unknown numbers are NaN, never 0.
 *
 * A node may have fewer children here than in the pack. What is left out is computed exactly, not estimated: the
 * children that are not here weigh `childKeywords[i]` (or `childVolume`, `leaves`) minus the sum over those that are.
 *
 * With a filter, the tree is what is kept of the pack: children, counts, sums and means cover only that, except
 * `ofKeywords`. Rows are still those of the pack.
 *
 * Source: docs/pack-format.md "Slice".
 */
export type Slice = {
  /** The number of rows, which is the length of every column. */
  readonly rows: number;
  /** The pack row of the node, which identifies it within one visualization. */
  readonly node: Uint32Array;
  /** The row of the parent within this slice; `parent[0]` is 0. */
  readonly parent: Uint32Array;
  /** Levels below the root of the whole tree. */
  readonly depth: Uint32Array;
  /** Index into `types`. */
  readonly type: Uint16Array;
  /** The number of children in the pack, whether or not they are in this slice. */
  readonly childCount: Uint32Array;
  /** The number of nodes without children in the branch, 1 for a leaf. Sums are exact. */
  readonly leaves: Uint32Array;
  /** The number of distinct keywords in the branch. */
  readonly keywords: Uint32Array;
  /**
   * The number of distinct keywords in the branch of the whole pack, regardless of the filter; without one it is
   * `keywords` itself.
   */
  readonly ofKeywords: Uint32Array;
  /**
   * Orders siblings, heaviest first: the smaller value comes first, and it has no other meaning. Without a filter it is
   * `node` itself. Under a filter it says nothing of the requested node, whose siblings are not in the slice.
   */
  readonly order: Uint32Array;
  /** The sum of the known monthly volumes of the distinct keywords; NaN if none is known. */
  readonly volume: Float64Array;
  /** The number of keywords whose volume is known. */
  readonly volumeKnown: Uint32Array;
  /**
   * The sum of `keywords` over all children in the pack (greater than `keywords` if one occurs under several). 0 for a
   * leaf.
   */
  readonly childKeywords: Float64Array;
  /** The sum of the known `volume` over all children in the pack. 0 for a leaf. */
  readonly childVolume: Float64Array;
  /** The plain mean of the known keyword difficulties, 0 to 100; NaN if none is known. */
  readonly difficulty: Float32Array;
  readonly difficultyKnown: Uint32Array;
  /** The plain mean of the known costs per click; NaN if none is known. */
  readonly cpc: Float32Array;
  readonly cpcKnown: Uint32Array;
  /** Keywords of the branch by intent, 4 numbers per row: informational, navigational, commercial, transactional. */
  readonly intent: Uint32Array;
  /** Node IDs, 2 numbers per row, high half first: 16 hex digits in links. */
  readonly address: Uint32Array;
  /** All names as UTF-8, back to back; row `i` is `names[nameStart[i] .. nameStart[i + 1]]`. `rows + 1` starts. */
  readonly nameStart: Uint32Array;
  readonly names: Uint8Array;
  /** Node types of the whole pack. */
  readonly types: readonly string[];
  /**
   * How much is known in the whole pack, regardless of the filter and of the requested node. Absent without a filter, because the columns
   * of the root contain it.
   */
  readonly wholeKnown?: WholeKnown | undefined;
  /** The requested fields of the file, in that order. */
  readonly fields: readonly SliceField[];
};

/** The number of keywords of the whole pack for which each figure is known. */
export type WholeKnown = {
  readonly volume: number;
  readonly difficulty: number;
  readonly cpc: number;
  /** Counts a keyword once for each of its intents. */
  readonly intent: number;
};

/** The values of a field over the keywords of each row; a leaf is a branch of one. One number per row and column. */
export type SliceField = NumberField | CategoryField | SetField;

export type NumberField = {
  readonly name: string;
  readonly kind: 'number';
  /** Whether `value` is the sum of the known values or their plain mean. */
  readonly rollUp: NumberRollUp;
  /** NaN if none is known. */
  readonly value: Float64Array;
  /** The number of distinct keywords in the branch for which it is known. */
  readonly known: Uint32Array;
};

export type CategoryField = {
  readonly name: string;
  readonly kind: 'category';
  readonly values: readonly string[];
  /** Index into `values` of the most frequent value, the first in the file on a tie; 0 if none is known. */
  readonly value: Uint8Array;
  /** The number of distinct keywords in the branch that have it, and of those for which any value is known. */
  readonly count: Uint32Array;
  readonly known: Uint32Array;
};

export type SetField = {
  readonly name: string;
  readonly kind: 'set';
  readonly values: readonly string[];
  /**
   * Two numbers per row, with bits as in `member-sets`: all members of a keyword; for a branch, only its most frequent
   * member, the first in the file on a tie.
   */
  readonly value: Uint32Array;
  /** The number of distinct keywords in the branch that have that member, and of those for which any is known. */
  readonly count: Uint32Array;
  readonly known: Uint32Array;
};

/** The members that a row of a set shows, in the order of its values. */
export function membersOf({ values, value }: SetField, row: number): string[] {
  const has = (member: number) => (value[2 * row + (member >> 5)]! >>> (member & 31)) & 1;
  return values.slice(1).filter((_, member) => has(member) === 1);
}

export type SliceQuery = {
  /** The pack row that the slice starts from. */
  readonly node: number;
  /** The maximum number of rows, including the first one. */
  readonly budget: number;
  /** The number of children of `node` to skip, to request the rest of a long run. 0 for the heaviest ones. */
  readonly skip: number;
  /**
   * The pack row of the child to start with, instead of `skip`; if it is not a child of the node, starts with the first
   * one.
   */
  readonly child?: number;
  /**
   * Requests the first children of `node` in another order instead of the heaviest rows, without their descendants;
   * `skip` and `child` are then ignored. Cannot be combined with `rest`.
   */
  readonly ranked?: ChildRanking;
  /**
   * The canonical text of a filter: the slice covers only what it keeps, see `filter-text`. Absent or empty for
   * everything.
   */
  readonly filter?: string;
  /**
   * With a filter: returns the rows of the same query without it, whether they are kept or not. Children and
   * `ofKeywords` then refer to the whole tree, all figures to what is kept. An excluded row has no figures and no
   * `leaves`, and comes after its kept siblings.
   */
  readonly rest?: boolean;
  /** Names of the pack's fields to include. */
  readonly fields?: readonly string[];
};
