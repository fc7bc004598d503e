import type { SearchHit } from '@kc/rules/shapes';

/** Hits under one pillar topic, in the order they were ranked. */
export type HitGroup = {
  /** Pack row of the pillar topic. */
  readonly node: number;
  readonly pillar: string;
  readonly hits: readonly SearchHit[];
};

/**
 * Hits by the branch right below the root they stand in. Groups keep the order of their best hit, hits keep theirs; the
 * root and the pillar topics themselves stand under their own name.
 */
export function groupByPillar(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<number, { node: number; pillar: string; hits: SearchHit[] }>();
  for (const hit of hits) {
    const { node, name: pillar } = hit.path[1] ?? hit;
    const group = groups.get(node);
    if (group) group.hits.push(hit);
    else groups.set(node, { node, pillar, hits: [hit] });
  }
  return [...groups.values()];
}
