import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { ExplorerState } from './explorer-state.ts';
import type { PointsQuery } from './points-query.ts';

type Look = Pick<
  ExplorerState,
  'view' | 'level' | 'ready' | 'focus' | 'filter' | 'x' | 'y' | 'size' | 'usualSize' | 'fields'
>;

/** Whether Opportunity shows a level of the tree instead of the children of the focus. */
export const isFlatPlot = ({ view, level }: Pick<ExplorerState, 'view' | 'level'>): boolean =>
  view === 'opportunity' && level !== 'tree';

/** The points that the state asks for; undefined if it shows none, or does not know the fields of the file yet. */
export function pointsQuery(state: Look, tree: LoadedTree): PointsQuery | undefined {
  const { level, ready, focus, filter, x, y, fields } = state;
  if (!isFlatPlot(state) || level === 'tree' || !ready || tree.size === 0) return undefined;
  const chosen = state.size === 'equal' ? state.usualSize : state.size;
  const size = chosen === 'equal' ? 'keywords' : chosen;
  if (!fields && [x, y, size].some((figure) => figure.startsWith('field:'))) return undefined;
  return { level, within: tree.node[focus]!, filter, x, y, size };
}
