import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { branchesOf } from '../sums/branches.ts';
import type { Level } from '../vocabulary/choices.ts';
import { isClusterType, isStrayType, isSubtopicType, levelsWith, type TopicLevel } from './level.ts';

/** The topic of every node on one level. A filter changes neither types nor ancestors, so it changes no topic. */
export type Topics = {
  /**
   * By branch: the row of the topic that its children are in; {@link noRow} for none. All children of a row are in the same topic, so one
   * number per branch is enough.
   */
  readonly ofChildren: Uint32Array;
  /** The row of a node's topic; {@link noRow} for none, and for the root. */
  of(row: number): number;
};

/**
 * The cluster of a node is its nearest ancestor of type `cluster`; without one, its parent. So in any tree, every keyword below the
 * root is in exactly one cluster, except for those below a node of type `stray`, which are in none.
 *
 * Computed once and cached by the open pack, not by filter: 4 bytes per branch. The pack is the whole one, without a
 * filter.
 * Cost: one pass over the branches.
 */
export const clustersOf = oncePerPack(findClusters);

/**
 * The subtopic of a node is its nearest ancestor of type `subtopic`; without one, its cluster. A node directly in a cluster that has subtopics
 * is in none. If a pack has no subtopics, its clusters take their place.
 *
 * Cached and computed like {@link clustersOf}.
 */
const subtopicsOf = oncePerPack(findSubtopics);

export const topicsOf = (pack: PackReader, level: TopicLevel, pause: Pause): Promise<Topics> =>
  level === 'clusters' ? clustersOf(pack, pause) : subtopicsOf(pack, pause);

/** The levels that a pack has, the widest first. Cached like {@link clustersOf}. */
export const levelsOf = oncePerPack(findLevels);

async function findClusters(pack: PackReader, pause: Pause): Promise<Topics> {
  const types = pack.metadata.types;
  const [isCluster, isStray] = [types.map(isClusterType), types.map(isStrayType)];
  return topicsBy(pack, pause, (type, row, above, typeOfAbove) => {
    if (row === 0) return row;
    if (isStray[type]) return noRow;
    if (isCluster[type]) return row;
    if (above === noRow) return noRow;
    return isCluster[typeOfAbove] ? above : row;
  });
}

async function findSubtopics(pack: PackReader, pause: Pause): Promise<Topics> {
  const { types } = pack.metadata;
  const [isSubtopic, isStray] = [types.map(isSubtopicType), types.map(isStrayType)];
  const clusters = await clustersOf(pack, pause);
  if (!isSubtopic.includes(true)) return clusters;
  const [{ starts, rows, count }, type] = [await branchesOf(pack, pause), await pack.column('type')];
  /** By branch, whether it is a cluster with subtopics inside. */
  const isDivided = new Uint8Array(count);
  await eachPiece(count, pause, (from, end) => {
    for (let branch = from; branch < end; branch++) {
      const row = rows[branch]!;
      const cluster = isSubtopic[type[row]!] ? clusters.of(row) : noRow;
      if (cluster !== noRow) isDivided[starts[cluster]!] = 1;
    }
  });
  let branch = 0;
  return topicsBy(pack, pause, (of, row, above, typeOfAbove) => {
    const cluster = clusters.ofChildren[branch++]!;
    if (isStray[of] && row !== 0) return noRow;
    if (isSubtopic[of]) return row;
    if (above !== noRow && isSubtopic[typeOfAbove]) return above;
    return cluster === noRow || isDivided[starts[cluster]!] === 1 ? noRow : cluster;
  });
}

/**
 * @param topicOf returns the topic of the children of a branch. `type` and `row` are those of the branch, `above` is the topic that it is in
 *   itself, {@link noRow} if none. Called once for each branch, in ascending order
 */
async function topicsBy(
  pack: PackReader,
  pause: Pause,
  topicOf: (type: number, row: number, above: number, typeOfAbove: number) => number,
): Promise<Topics> {
  const [{ starts, rows, count }, parent, type] = [
    await branchesOf(pack, pause),
    await pack.column('parent'),
    await pack.column('type'),
  ];
  const ofChildren = new Uint32Array(count);
  await eachPiece(count, pause, (from, end) => {
    for (let branch = from; branch < end; branch++) {
      const row = rows[branch]!;
      // Branches are in row order, so the branch above is done.
      const above = row === 0 ? noRow : ofChildren[starts[parent[row]!]!]!;
      ofChildren[branch] = topicOf(type[row]!, row, above, above === noRow ? -1 : type[above]!);
    }
  });
  return { ofChildren, of: (row) => (row === 0 ? noRow : ofChildren[starts[parent[row]!]!]!) };
}

async function findLevels(pack: PackReader, pause: Pause): Promise<readonly Level[]> {
  const { types } = pack.metadata;
  if (!types.some(isSubtopicType)) return levelsWith(types, false);
  const [isSubtopic, isCluster] = [types.map(isSubtopicType), types.map(isClusterType)];
  const [{ rows }, type, { of }] = [
    await branchesOf(pack, pause),
    await pack.column('type'),
    await clustersOf(pack, pause),
  ];
  const isInside = (row: number) => {
    const cluster = isSubtopic[type[row]!] ? of(row) : noRow;
    return cluster !== noRow && isCluster[type[cluster]!];
  };
  return levelsWith(types, !rows.some(isInside));
}

/** The child of the root that a row is or lies below; {@link noRow} for the root. */
export function pillarOf(parent: Uint32Array, row: number): number {
  if (row === 0) return noRow;
  let at = row;
  while (parent[at] !== 0) at = parent[at]!;
  return at;
}
