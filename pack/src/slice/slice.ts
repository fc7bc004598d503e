import type { ChildRanking } from './child-ranking.ts';

/**
 * A connected part of a tree as columns, as one screen wants it.
 *
 * Row `i` of every column is one node. Rows stand in the pack's order (breadth first), so row 0 is the node asked for,
 * `parent[i] < i` for every other row, siblings are neighbours, and one forward pass can push values down the tree and
 * one backward pass can sum them up. Unknown numbers are NaN, never 0.
 *
 * A node may have fewer children here than in the pack. What was left out is exact arithmetic, not a guess: the
 * children that are not here weigh `childKeywords[i]` (or `childVolume`, `leaves`) less the sum over those that are.
 *
 * Under a filter the tree is what is kept of the pack: children, counts, sums and means are of that alone, `ofKeywords`
 * apart. Rows are the pack's still.
 *
 * Source: docs/pack-format.md "Slice".
 */
export type Slice = {
  /** Number of rows; the length of every column. */
  readonly rows: number;
  /** Row of the node in the pack: its identity within one visualization. */
  readonly node: Uint32Array;
  /** Row of the parent within this slice; `parent[0]` is 0. */
  readonly parent: Uint32Array;
  /** Levels below the root of the whole tree. */
  readonly depth: Uint32Array;
  /** Index into `types`. */
  readonly type: Uint16Array;
  /** Children in the pack, whether they are in this slice or not. */
  readonly childCount: Uint32Array;
  /** Nodes without children in the branch, 1 for a leaf. Adds up exactly. */
  readonly leaves: Uint32Array;
  /** Distinct keywords of the branch. */
  readonly keywords: Uint32Array;
  /** Distinct keywords of the branch in the whole pack, whatever the filter; without one it is `keywords` itself. */
  readonly ofKeywords: Uint32Array;
  /**
   * Stands siblings in order, the heaviest first: smaller comes before, and it says nothing beyond that. Without a filter it
   * is `node` itself.
   */
  readonly order: Uint32Array;
  /** Sum of the known monthly volumes of the distinct keywords; NaN when none is known. */
  readonly volume: Float64Array;
  /** Keywords whose volume is known. */
  readonly volumeKnown: Uint32Array;
  /** Sum of `keywords` over all children in the pack (more than `keywords` where one stands under several). 0 for a leaf. */
  readonly childKeywords: Float64Array;
  /** Sum of the known `volume` over all children in the pack. 0 for a leaf. */
  readonly childVolume: Float64Array;
  /** Plain mean of the known keyword difficulties, 0 to 100; NaN when none is known. */
  readonly difficulty: Float32Array;
  readonly difficultyKnown: Uint32Array;
  /** Plain mean of the known costs per click; NaN when none is known. */
  readonly cpc: Float32Array;
  readonly cpcKnown: Uint32Array;
  /** Keywords of the branch by intent, 4 numbers a row: informational, navigational, commercial, transactional. */
  readonly intent: Uint32Array;
  /** Addresses, 2 numbers a row, high half first: 16 hex digits in links. */
  readonly address: Uint32Array;
  /** All names, UTF-8, back to back; row `i` is `names[nameStart[i] .. nameStart[i + 1]]`. `rows + 1` starts. */
  readonly nameStart: Uint32Array;
  readonly names: Uint8Array;
  /** Node types of the whole pack. */
  readonly types: readonly string[];
  /** The fields of the file that were asked for, in that order. */
  readonly fields: readonly SliceField[];
};

/** What the keywords of each row say of a member of the file; a leaf is a branch of one. One number a row and column. */
export type SliceField = NumberField | CategoryField | SetField;

export type NumberField = {
  readonly name: string;
  readonly kind: 'number';
  /** Whether `value` is what the known values add up to, or their plain mean. */
  readonly rollUp: 'sum' | 'mean';
  /** NaN when none is known. */
  readonly value: Float64Array;
  /** Distinct keywords of the branch of which it is known. */
  readonly known: Uint32Array;
};

export type CategoryField = {
  readonly name: string;
  readonly kind: 'category';
  readonly values: readonly string[];
  /** Index into `values` of what most keywords have, the first in the file among equals; 0 when none is known. */
  readonly value: Uint8Array;
  /** Distinct keywords of the branch that have it, and those of which any is known. */
  readonly count: Uint32Array;
  readonly known: Uint32Array;
};

export type SetField = {
  readonly name: string;
  readonly kind: 'set';
  readonly values: readonly string[];
  /**
   * Two numbers a row, bits as `member-sets` has them: all that a keyword has; of a branch the one member that most of its
   * keywords have, the first in the file among equals.
   */
  readonly value: Uint32Array;
  /** Distinct keywords of the branch that have that one, and those of which any is known. */
  readonly count: Uint32Array;
  readonly known: Uint32Array;
};

/** What a row of a set shows, in the order of its values. */
export function membersOf({ values, value }: SetField, row: number): string[] {
  const has = (member: number) => (value[2 * row + (member >> 5)]! >>> (member & 31)) & 1;
  return values.slice(1).filter((_, member) => has(member) === 1);
}

export type SliceQuery = {
  /** Pack row the slice starts from. */
  readonly node: number;
  /** Rows at most, the first one counted. */
  readonly budget: number;
  /** Children of `node` to pass over, to ask for the rest of a long run. 0 for the heaviest ones. */
  readonly skip: number;
  /** Pack row of the child to begin with, in the place of `skip`; what is no child of the node means the first one. */
  readonly child?: number;
  /**
   * Instead of the heaviest rows the first children of `node` in another order, and none from below them; `skip` and `child`
   * say nothing then. Not to be had with the `rest`.
   */
  readonly ranked?: ChildRanking;
  /** The text of a filter, canonical: of what it keeps alone; see `filter-text`. Absent or empty: of everything. */
  readonly filter?: string;
  /**
   * Under a filter: the rows that the same query without it brings, whether they are kept or not. Children and
   * `ofKeywords` are of the whole tree then, every figure of what is kept; a row that is left out has none and no `leaves`,
   * and stands behind its siblings that are kept.
   */
  readonly rest?: boolean;
  /** Names of the pack's fields to bring along. */
  readonly fields?: readonly string[];
};
