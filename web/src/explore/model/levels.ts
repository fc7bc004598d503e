import { isClusterType, isSubtopicType, levelsWith, pageLevel } from '@kc/pack/levels/level';
import type { Level } from '@kc/pack/vocabulary/choices';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { ExplorerState } from './explorer-state.ts';
import { isRankedLevel, type TableLevel } from './list-query.ts';
import type { PointsQuery } from './source.ts';

type Place = Pick<ExplorerState, 'view' | 'level' | 'levels' | 'focus' | 'filter' | 'fewClusters'>;
type Look = Place & Pick<ExplorerState, 'ready' | 'x' | 'y' | 'size' | 'defaultSize' | 'fields'>;

/**
 * What the table lists, or Opportunity shows. Until the user chooses a level, the table lists the tree, and Opportunity
 * the smallest topics, if the focus has at least two of them. These also stand in for a level that the map lacks.
 */
export function levelOf({ view, level, levels, focus, filter, fewClusters }: Place): TableLevel {
  // Opportunity has no entries of the plan.
  if (level !== undefined && !(level === 'plan' && view === 'opportunity')) {
    return isRankedLevel(level) && !levels.includes(level) ? pageLevel(levels) : level;
  }
  const hasClusters = fewClusters === undefined || fewClusters.within !== focus || fewClusters.filter !== filter;
  return view === 'opportunity' && hasClusters ? pageLevel(levels) : 'tree';
}

/** The query for the points of a state; undefined if it shows none, or does not know the fields of the file yet. */
export function pointsQuery(state: Look, tree: LoadedTree): PointsQuery | undefined {
  const { ready, focus, filter, x, y, fields } = state;
  if (state.view !== 'opportunity' || !ready || tree.size === 0) return undefined;
  const chosenSize = state.size === 'equal' ? state.defaultSize : state.size;
  const size = chosenSize === 'equal' ? 'keywords' : chosenSize;
  if (!fields && [x, y, size].some((figure) => figure.startsWith('field:'))) return undefined;
  const chosenLevel = levelOf(state);
  const level = isRankedLevel(chosenLevel) ? chosenLevel : 'children';
  const areasOf = level === 'children' ? (`children.${tree.addressOf(focus)}` as const) : level;
  return { level, areasOf, within: tree.node[focus]!, filter, x, y, size };
}

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
