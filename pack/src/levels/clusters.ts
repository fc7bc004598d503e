import { branchesOf } from '../filter/pack-branches.ts';
import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';

/**
 * The cluster of every node: its nearest ancestor of type `cluster`; without one, its parent. So every keyword below the
 * root is in exactly one cluster, in any tree. A filter changes neither types nor ancestors, so it changes no cluster.
 */
export type Clusters = {
  /**
   * The row of the cluster of all children of a branch, by branch. A row's children share their cluster, so one number
   * per branch is enough.
   */
  readonly ofChildren: Uint32Array;
  /** The row of a node's cluster; {@link noRow} for the root. */
  of(row: number): number;
};

/**
 * Computed once and cached by the open pack, not by filter: 4 bytes per branch.
 * Cost: one pass over the branches.
 *
 * The pack is the whole one, without a filter.
 */
export const clustersOf = oncePerPack(findClusters);

async function findClusters(pack: PackReader, pause: Pause): Promise<Clusters> {
  const [branches, parent, type] = [
    await branchesOf(pack, pause),
    await pack.column('parent'),
    await pack.column('type'),
  ];
  const { starts, rows, count } = branches;
  const isCluster = pack.metadata.types.map(isClusterType);
  const ofChildren = new Uint32Array(count);
  await eachPiece(count, pause, (from, end) => {
    for (let branch = from; branch < end; branch++) {
      const row = rows[branch]!;
      // Branches are in row order, so the branch above is done.
      const above = row === 0 ? noRow : ofChildren[starts[parent[row]!]!]!;
      const isBelowOne = above !== noRow && isCluster[type[above]!];
      ofChildren[branch] = isCluster[type[row]!] || !isBelowOne ? row : above;
    }
  });
  return { ofChildren, of: (row) => (row === 0 ? noRow : ofChildren[starts[parent[row]!]!]!) };
}

/** Types are as spelled in the file. */
export const isClusterType = (type: string): boolean => type.trim().toLowerCase() === 'cluster';
