import type { FilteredPack } from '../filter/filtered-pack.ts';
import { hitKind } from '../find/find-fallback.ts';
import type { Hits } from '../find/find-names.ts';
import { eachPiece, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { loadWeightColumns } from '../format/weight-columns.ts';

/**
 * The locations of search hits below a branch: the nodes that are hits or contain hits, in pack order, which is level
 * by level. Node `nodes[i]` and its descendants contain `counts[i]` hits.
 *
 * If there are more nodes than requested, the result is complete up to row `upTo` and contains nothing after it.
 */
export type HitPlaces = {
  readonly nodes: number[];
  readonly counts: number[];
  /** Those of `nodes` that are hits themselves. */
  readonly hits: number[];
  readonly upTo: number;
};

/**
 * The number of hits in every node and its descendants, by row.
 *
 * Cost: one pass over the rows and 4 bytes per row.
 */
export async function countHits(
  pack: PackReader | FilteredPack,
  { kinds }: Hits,
  pause: Pause = async () => undefined,
): Promise<Uint32Array> {
  const parent = await pack.column('parent');
  const counts = new Uint32Array(kinds.length);
  // Parents come before their children.
  await eachPiece(kinds.length, pause, (from, end) => {
    for (let row = kinds.length - 1 - from; row >= kinds.length - end; row--) {
      if (kinds[row] !== hitKind.none) counts[row]! += 1;
      if (row > 0 && counts[row]! > 0) counts[parent[row]!]! += counts[row]!;
    }
  });
  return counts;
}

/**
 * @param counts see {@link countHits}
 * @param under a row: the result contains only this row and its descendants
 */
export async function placeHits(
  pack: PackReader | FilteredPack,
  { kinds }: Hits,
  counts: Uint32Array,
  under: number,
  limit: number,
): Promise<HitPlaces> {
  // Children that a filter excludes contain no hits.
  const whole = 'kept' in pack ? pack.whole : pack;
  const [{ branch }, firstChild, childCount] = await Promise.all([
    loadWeightColumns(whole),
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
    hits: nodes.filter((node) => kinds[node] !== hitKind.none),
    upTo,
  };
}
