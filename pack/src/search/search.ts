import { hitKind } from '../find/find-fallback.ts';
import { findNames, type Hits, type SearchInput } from '../find/find-names.ts';
import type { TextQuery } from '../find/text-query.ts';
import { BestOf } from '../format/best-of.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { loadWeightColumns } from '../format/weight-columns.ts';
import type { View } from '../sums/filtered-pack.ts';
import { fates } from '../sums/kept-tree.ts';

/** {@link findNames}; for a filtered pack, only the nodes that the filter keeps. */
export async function findHits(pack: View, query: TextQuery, parts: SearchInput = {}): Promise<Hits> {
  const found = await findNames(pack, query, parts);
  if (!('kept' in pack) || found.total === 0) return found;
  const { kinds } = found;
  let { total } = found;
  const { fate } = pack.kept;
  await eachPiece(pack.metadata.nodes, parts.pause ?? noPause, (from, end) => {
    for (let row = from; row < end; row++) {
      if (kinds[row] === hitKind.none || fate[row] !== fates.gone) continue;
      kinds[row] = hitKind.none;
      total--;
    }
  });
  return { kinds, total };
}

/**
 * Ranks hits: first names equal to the text, then names that start with it, then names containing a word that starts
 * with it, then the rest; see {@link findNames} for several words. Each group is sorted by volume, then keywords, both descending, then by
 * position in the tree.
 *
 * Cost: a pass over the nodes, reading the weight of the first hits among siblings and of some that are among the best
 * so far.
 *
 * @param skip the number of best hits to leave out
 */
export async function rankHits(
  pack: View,
  { kinds }: Hits,
  skip: number,
  limit: number,
  pause: Pause = noPause,
): Promise<number[]> {
  const { volume, keywords, isReordered } = 'kept' in pack ? await pack.weights() : await loadWeightColumns(pack);
  const { whole } = pack;
  const [firstChild, childCount] = await Promise.all([whole.column('first_child'), whole.column('child_count')]);
  const best = new BestOf<number>(
    skip + limit,
    (one, other) =>
      kinds[one]! - kinds[other]! || volume(other) - volume(one) || keywords(other) - keywords(one) || one - other,
  );
  let worstKind: number = hitKind.part;
  let worstVolume = 0;
  /**
   * Offers the hits among siblings. The heaviest come first, so after one that is too light only better kinds can
   * qualify.
   */
  const offerRun = (from: number, end: number): void => {
    let worstOfRun = worstKind;
    for (let row = nextHit(kinds, from, end, worstOfRun); row < end; row = nextHit(kinds, row + 1, end, worstOfRun)) {
      const kind = kinds[row]!;
      if (kind === worstKind && volume(row) < worstVolume) {
        if (!isReordered) worstOfRun = kind - 1;
        continue;
      }
      best.offer(row);
      const { worst } = best;
      if (worst === undefined) continue;
      worstKind = kinds[worst]!;
      worstVolume = volume(worst);
      worstOfRun = Math.min(worstOfRun, worstKind);
    }
  };
  offerRun(0, 1);
  await eachPiece(firstChild.length, pause, (from, end) => {
    for (let branch = from; branch < end; branch++) {
      offerRun(firstChild[branch]!, firstChild[branch]! + childCount[branch]!);
    }
  });
  return best.inOrder().slice(skip);
}

/** The first row from `from` to before `end` that is a hit of this kind or a better one; `end` if there is none. */
function nextHit(kinds: Uint8Array, from: number, end: number, worst: number): number {
  let row = from;
  while (row < end && (kinds[row] === hitKind.none || kinds[row]! > worst)) row++;
  return row;
}

/**
 * The locations of search hits below a branch: the nodes that are hits or contain hits, in pack order, which is level
 * by level. Node `nodes[i]` and its descendants contain `counts[i]` hits.
 *
 * If there are more nodes than requested, the result is complete up to row `upTo` and contains nothing after it.
 */
export type HitPlaces = {
  readonly nodes: number[];
  readonly counts: number[];
  /** The nodes that are hits themselves, of `nodes`. */
  readonly hits: number[];
  readonly upTo: number;
};

/**
 * The number of hits in every node and its descendants, by row.
 *
 * Cost: one pass over the rows and 4 bytes per row.
 */
export async function countHits(
  pack: View,
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
  pack: View,
  { kinds }: Hits,
  counts: Uint32Array,
  under: number,
  limit: number,
): Promise<HitPlaces> {
  // Children that a filter excludes contain no hits.
  const { whole } = pack;
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
