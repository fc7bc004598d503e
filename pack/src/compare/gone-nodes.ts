import type { FilteredPack } from '../filter/filtered-pack.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import type { Compared } from './match-packs.ts';
import type { RowFigures } from './row-figures.ts';

/** What a branch has lost, with the figures of the earlier upload. Unknown volumes count as 0. */
export type Gone = {
  /** Gone children: what was in a gone branch is gone with it and not counted again. */
  nodes: number;
  keywords: number;
  volume: number;
  /** The same figures of everything that is gone from the branch at any depth. */
  keywordsBelow: number;
  volumeBelow: number;
};

/**
 * What each branch of the later upload has lost, by row. Branches that lost nothing are absent. A gone node counts for
 * the branch that its parent has become; if a filter excludes that branch, for the nearest one above it that is kept.
 *
 * Cost: a pass over the nodes of the earlier upload, and the levels above each gone node.
 */
export async function findGoneNodes(
  { match, after, before }: Compared,
  isGone: (rowBefore: number) => boolean,
  { keywords, volume }: Pick<RowFigures, 'keywords' | 'volume'>,
  pause: Pause = noPause,
): Promise<ReadonlyMap<number, Readonly<Gone>>> {
  const parent = await after.column('parent');
  const parentBefore = await before.column('parent');
  const found = new Map<number, Gone>();
  const at = (row: number): Gone => {
    const known = found.get(row) ?? { nodes: 0, keywords: 0, volume: 0, keywordsBelow: 0, volumeBelow: 0 };
    found.set(row, known);
    return known;
  };
  await eachPiece(before.metadata.nodes, pause, (from, end) => {
    for (let row = Math.max(1, from); row < end; row++) {
      if (!isGone(row)) continue;
      const branch = match.after[parentBefore[row]!]!;
      if (branch === noRow) continue;
      const lost = { keywords: keywords(row), volume: volume(row) || 0 };
      const here = at(nearestKept(after, parent, branch));
      here.nodes++;
      here.keywords += lost.keywords;
      here.volume += lost.volume;
      for (let above = branch; ; above = parent[above]!) {
        const below = at(above);
        below.keywordsBelow += lost.keywords;
        below.volumeBelow += lost.volume;
        if (above === 0) break;
      }
    }
  });
  return found;
}

function nearestKept(after: PackReader | FilteredPack, parent: Uint32Array, branch: number): number {
  if (!('kept' in after)) return branch;
  let row = branch;
  while (row > 0 && !after.keeps(row)) row = parent[row]!;
  return row;
}
