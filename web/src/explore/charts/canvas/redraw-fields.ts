import type { ExplorerState } from '../../model/explorer-state.ts';

/** What the state says that marks stand by: another one, and they are laid out anew. */
export const layoutFields = [
  'treeVersion',
  'ready',
  'sought',
  'size',
  'x',
  'y',
  'depth',
  'usualDepth',
  'autoExpand',
  'opened',
  'closed',
  'unfolded',
] as const satisfies readonly (keyof ExplorerState)[];

/** What they only look by. */
export const paintFields = [
  'hovered',
  'previewed',
  'selected',
  'compared',
  'found',
  'colour',
  'steps',
  'isSafe',
  'patterns',
] as const satisfies readonly (keyof ExplorerState)[];
