import type { MatchMode } from '@kc/pack/find/text-query';
import type { SearchHit } from '@kc/rules/shapes';

/** The nodes that match a search, by pack row. */
export type Glow = {
  /** The number of matches in the branch of a node, including the node. Only nodes with matches are listed. */
  readonly counts: ReadonlyMap<number, number>;
  /** Nodes that match themselves. */
  readonly hits: ReadonlySet<number>;
  /** Nodes after this row have not been searched. */
  readonly upTo: number;
};

/** The results of a search. */
export type SearchResults = {
  readonly text: string;
  /** How the text was matched. */
  readonly mode: MatchMode;
  /** The total number of hits. */
  readonly total: number;
  /** Hits among keywords outside the hierarchy. They are not included in the other counts. */
  readonly notInHierarchy: number;
  /** The best hits. */
  readonly hits: readonly SearchHit[];
  /** Hits per pillar topic, by its pack row. Counts only those in `hits`. */
  readonly ofPillar: ReadonlyMap<number, number>;
  /** Where all hits are below the focus. */
  readonly glow: Glow;
  /** The index of the hit last navigated to, 0 for the best one; `none` before. */
  readonly at: number;
};
