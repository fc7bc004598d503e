import { pageLevel } from '@kc/pack/levels/level';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { ExplorerState } from './explorer-state.ts';
import { isRankedLevel, type TableLevel } from './list-query.ts';
import type { PointsQuery } from './points-query.ts';

type Place = Pick<ExplorerState, 'view' | 'level' | 'levels' | 'focus' | 'filter' | 'fewClusters'>;
type Look = Place & Pick<ExplorerState, 'ready' | 'x' | 'y' | 'size' | 'usualSize' | 'fields'>;

/**
 * What the table lists, or Opportunity shows. Until the user chooses a level, the table lists the tree, and Opportunity
 * the smallest topics, if the focus has at least two of them. These also stand in for a level that the map lacks.
 */
export function levelOf({ view, level, levels, focus, filter, fewClusters: few }: Place): TableLevel {
  // Opportunity has no entries of the plan.
  if (level !== undefined && !(level === 'plan' && view === 'opportunity')) {
    return isRankedLevel(level) && !levels.includes(level) ? pageLevel(levels) : level;
  }
  const hasClusters = few === undefined || few.within !== focus || few.filter !== filter;
  return view === 'opportunity' && hasClusters ? pageLevel(levels) : 'tree';
}

/** Whether Opportunity shows a level of the tree instead of the children of the focus. */
export const isFlatPlot = (state: Place): boolean => state.view === 'opportunity' && isRankedLevel(levelOf(state));

/** The points that the state asks for; undefined if it shows none, or does not know the fields of the file yet. */
export function pointsQuery(state: Look, tree: LoadedTree): PointsQuery | undefined {
  const { ready, focus, filter, x, y, fields } = state;
  const level = levelOf(state);
  if (state.view !== 'opportunity' || !isRankedLevel(level) || !ready || tree.size === 0) return undefined;
  const chosen = state.size === 'equal' ? state.usualSize : state.size;
  const size = chosen === 'equal' ? 'keywords' : chosen;
  if (!fields && [x, y, size].some((figure) => figure.startsWith('field:'))) return undefined;
  return { level, within: tree.node[focus]!, filter, x, y, size };
}
