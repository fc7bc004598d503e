import { branchesOf } from '../filter/pack-branches.ts';
import { type Pause, pauseBetween } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { clustersOf } from '../levels/topics.ts';

/** By branch: 1 for the cluster of a keyword. @param pack the whole pack, without a filter */
export async function clusterBranches(pack: PackReader, pause: Pause): Promise<Uint8Array> {
  const { count, starts, firstChild, childCount } = await branchesOf(pack, pause);
  const { ofChildren } = await clustersOf(pack, pause);
  const isKeyword = await pack.column('is_keyword');
  const isCluster = new Uint8Array(count);
  const rest = pauseBetween(pause);
  for (let branch = 0; branch < count; branch++) {
    // One keyword among the children is enough.
    const end = firstChild[branch]! + childCount[branch]!;
    let child = firstChild[branch]!;
    while (child < end && isKeyword[child] !== 1) child++;
    const cluster = ofChildren[branch]!;
    if (child < end && cluster !== noRow) isCluster[starts[cluster]!] = 1;
    const waiting = rest(child - firstChild[branch]! + 1);
    if (waiting) await waiting;
  }
  return isCluster;
}
