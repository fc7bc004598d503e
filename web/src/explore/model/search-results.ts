import type { MatchMode } from '@kc/pack/find/text-query';
import type { SearchHit } from '@kc/rules/shapes';

/** The nodes of the pack that a search matches, by pack row. */
export type Glow = {
  /** The number of matches in and below a node, for nodes that have any. */
  readonly counts: ReadonlyMap<number, number>;
  /** Nodes that match themselves. */
  readonly hits: ReadonlySet<number>;
  /** Nodes after this row have not been searched. */
  readonly upTo: number;
};

/** What a search found. */
export type SearchResults = {
  readonly text: string;
  /** How it was matched. */
  readonly mode: MatchMode;
  /** Of all hits. */
  readonly total: number;
  /** Hits among the keywords that no node names, which are not among the others. */
  readonly notInHierarchy: number;
  /** The best of them. */
  readonly hits: readonly SearchHit[];
  /** Hits of a pillar topic, by its pack row; of those of `hits`. */
  readonly ofPillar: ReadonlyMap<number, number>;
  /** Where all hits lie below the focus. */
  readonly glow: Glow;
  /** The hit that was gone to last, 0 for the best one; none before. */
  readonly at: number;
};
