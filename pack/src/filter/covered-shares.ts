import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { createKeptColumns } from './kept-columns.ts';
import { counts, type KeptTree, keepTree } from './kept-tree.ts';

/**
 * By branch: which part of what is kept has a page, from 0 to 1; NaN where nothing is kept. Of the volume where it is known
 * for at least half of the keywords and there is any, otherwise of the keywords. A keyword counts once in a branch, and as
 * covered if one of its places there is.
 *
 * Cost: the tree of the covered keywords and its volumes.
 *
 * @param covered 1 for each node that has a page
 */
export async function coveredShares(kept: KeptTree, covered: Uint8Array, pause: Pause): Promise<Float64Array> {
  const { fate, pack } = kept;
  const matches = new Uint8Array(fate.length);
  await eachPiece(fate.length, pause, (from, end) => {
    for (let row = from; row < end; row++) matches[row] = covered[row]! & Number(counts(fate[row]!));
  });
  const done = await keepTree(pack, matches, pause);
  const columns = createKeptColumns(kept, pause);
  const [volume, volumeKnown] = [await columns.volumes(), await columns.column('volume_known')];
  const doneVolume = await createKeptColumns(done, pause).volumes();
  return volume.map((all, branch) => {
    const keywords = kept.keywords[branch]!;
    const isByVolume = 2 * volumeKnown[branch]! >= keywords && all > 0;
    return isByVolume ? doneVolume[branch]! / all : done.keywords[branch]! / keywords;
  });
}
