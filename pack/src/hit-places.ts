import type { FilteredPack } from './filtered-pack.ts';
import { holdWeights } from './held-weights.ts';
import type { PackReader } from './pack-reader.ts';
import type { Hits } from './search.ts';

/**
 * Where the hits of a search lie below a branch: the nodes there that are hits or hold some, in the pack's order, which
 * goes level by level. `counts[i]` hits are node `nodes[i]` or below it.
 *
 * Of more than was asked for, the first: everything up to row `upTo` is said, and nothing of what comes after.
 */
export type HitPlaces = {
  readonly nodes: number[];
  readonly counts: number[];
  /** Those of `nodes` that are hits themselves. */
  readonly hits: number[];
  readonly upTo: number;
};

/**
 * How many hits every node is or holds, by row.
 *
 * Cost: one pass over the rows and 4 bytes a row.
 */
export async function countHits(pack: PackReader | FilteredPack, { rows }: Hits): Promise<Uint32Array> {
  const parent = await pack.column('parent');
  const counts = new Uint32Array(pack.metadata.nodes);
  for (const row of rows) counts[row] = 1;
  // Parents come before their children.
  for (let row = counts.length - 1; row > 0; row--) counts[parent[row]!]! += counts[row]!;
  return counts;
}

/**
 * @param counts see {@link countHits}
 * @param under a row: only what lies below it is said, and it itself
 */
export async function placeHits(
  pack: PackReader | FilteredPack,
  { rows }: Hits,
  counts: Uint32Array,
  under: number,
  limit: number,
): Promise<HitPlaces> {
  // Children that a filter took away hold no hits.
  const whole = 'kept' in pack ? pack.whole : pack;
  const [{ branch }, firstChild, childCount] = await Promise.all([
    holdWeights(whole),
    whole.column('first_child'),
    whole.column('child_count'),
  ]);
  const nodes: number[] = [];
  let upTo = counts.length - 1;
  if (counts[under]! > 0) nodes.push(under);
  look: for (let at = 0; at < nodes.length; at++) {
    const index = branch(nodes[at]!);
    if (index < 0) continue;
    const end = firstChild[index]! + childCount[index]!;
    for (let child = firstChild[index]!; child < end; child++) {
      if (counts[child] === 0) continue;
      if (nodes.length === limit) {
        upTo = child - 1;
        break look;
      }
      nodes.push(child);
    }
  }
  return {
    nodes,
    counts: nodes.map((node) => counts[node]!),
    hits: nodes.filter((node) => isAmong(rows, node)),
    upTo,
  };
}

/** @param rows rising */
function isAmong(rows: Uint32Array, row: number): boolean {
  let low = 0;
  for (let high = rows.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row;
}
