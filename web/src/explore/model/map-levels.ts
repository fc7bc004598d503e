import { isClusterType, isSubtopicType, type Level, levelsWith, pageLevel } from '@kc/pack/levels/level';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';

/**
 * The levels that the map has, the widest first: see `levelsWith`. What contains what is read off the first subtopic that is
 * loaded.
 */
export function mapLevelsOf(tree: LoadedTree): readonly Level[] {
  const { types } = tree;
  const isSubtopic = types.map(isSubtopicType);
  const first = isSubtopic.includes(true)
    ? Array.from({ length: tree.size }, (_, row) => row).find((row) => isSubtopic[tree.type[row]!])
    : undefined;
  return levelsWith(types, first !== undefined && !isInCluster(tree, first));
}

function isInCluster(tree: LoadedTree, row: number): boolean {
  for (let at = row; at !== tree.root; at = tree.parent[at]!) {
    if (isClusterType(tree.types[tree.type[at]!]!)) return true;
  }
  return false;
}

/** The smallest topics, each of which is a page of a site. */
export const pageLevelOf = ({ levels }: { readonly levels: readonly Level[] }) => pageLevel(levels);
