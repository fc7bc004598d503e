import type { MatchMode } from '@kc/pack/find/text-query';
import type { SearchHit } from '@kc/rules/shapes';

/** The nodes of the pack that a search matches, by pack row. */
export type Glow = {
  /** The number of matches in and below a node, for nodes that have any. */
  readonly counts: ReadonlyMap<number, number>;
  /** The nodes that match themselves. */
  readonly hits: ReadonlySet<number>;
  /** Rows after this one have not been searched. */
  readonly upTo: number;
};

/** The result of a search. */
export type SearchResults = {
  readonly text: string;
  /** How it was matched. */
  readonly mode: MatchMode;
  /** The number of all hits. */
  readonly total: number;
  /** The number of hits among keywords outside the hierarchy, which are not in the other counts. */
  readonly notInHierarchy: number;
  /** The best hits. */
  readonly hits: readonly SearchHit[];
  /** The number of `hits` in a pillar topic, by its pack row. */
  readonly ofPillar: ReadonlyMap<number, number>;
  /** Where all hits are below the focus. */
  readonly glow: Glow;
  /** The hit last visited, 0 for the best one; undefined before. */
  readonly at: number;
};
