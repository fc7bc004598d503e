import type { MatchMode } from '@kc/pack/vocabulary/choices';
import type { SearchHit } from '@kc/rules/shapes';
import { shownName } from '@kc/rules/visible-text';

/** The nodes that match a search, by pack row. */
export type Glow = {
  /** The number of matches in the branch of a node, including the node. Only nodes with matches are listed. */
  readonly counts: ReadonlyMap<number, number>;
  /** The nodes that match themselves. */
  readonly hits: ReadonlySet<number>;
  /** Rows after this one have not been searched. */
  readonly lastRow: number;
};

/** The result of a search. */
export type SearchResults = {
  readonly text: string;
  /** How the text was matched. */
  readonly mode: MatchMode;
  /** The number of all hits. */
  readonly total: number;
  /** The number of hits among keywords outside the hierarchy, which are not in the other counts. */
  readonly notInHierarchy: number;
  /** The best hits. */
  readonly hits: readonly SearchHit[];
  /** The number of `hits` in a pillar topic, by its pack row. */
  readonly hitsByPillar: ReadonlyMap<number, number>;
  /** Where all hits are below the focus. */
  readonly glow: Glow;
  /** The hit last visited, 0 for the best one; undefined before. */
  readonly index: number;
};

/** Hits under one pillar topic, in ranking order. */
export type HitGroup = {
  /** Pack row of the pillar topic. */
  readonly node: number;
  readonly pillar: string;
  readonly hits: readonly SearchHit[];
};

/**
 * Groups hits by their branch directly below the root. Groups are in the order of their best hit; hits keep their
 * order. The root and the pillar topics themselves are grouped under their own name.
 */
export function groupByPillar(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<number, { node: number; pillar: string; hits: SearchHit[] }>();
  for (const hit of hits) {
    const { node, name: pillar } = hit.path[1] ?? hit;
    const group = groups.get(node);
    if (group) group.hits.push(hit);
    else groups.set(node, { node, pillar: shownName(pillar), hits: [hit] });
  }
  return [...groups.values()];
}
