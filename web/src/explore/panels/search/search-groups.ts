import type { SearchHit } from '@kc/rules/shapes';

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
    else groups.set(node, { node, pillar, hits: [hit] });
  }
  return [...groups.values()];
}
