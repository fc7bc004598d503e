import { branchesOf } from '../filter/pack-branches.ts';
import { eachPiece, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { clustersOf } from '../levels/clusters.ts';

/** By branch: 1 for the cluster of a keyword. @param pack the whole pack, without a filter */
export async function clusterBranches(pack: PackReader, pause: Pause): Promise<Uint8Array> {
  const { count, starts } = await branchesOf(pack, pause);
  const clusters = await clustersOf(pack, pause);
  const isKeyword = await pack.column('is_keyword');
  const isCluster = new Uint8Array(count);
  await eachPiece(pack.metadata.nodes, pause, (from, end) => {
    for (let row = Math.max(1, from); row < end; row++)
      if (isKeyword[row] === 1) isCluster[starts[clusters.of(row)]!] = 1;
  });
  return isCluster;
}
