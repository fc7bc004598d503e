import type { ExplorerState } from '../../model/explorer-state.ts';

/** State that the layout depends on: a change needs a new layout. */
export const layoutFields = [
  'treeVersion',
  'ready',
  'sought',
  'size',
  'x',
  'y',
  'xs',
  'ys',
  'depth',
  'usualDepth',
  'autoExpand',
  'opened',
  'closed',
  'unfolded',
] as const satisfies readonly (keyof ExplorerState)[];

/** State that only painting depends on. */
export const paintFields = [
  'hovered',
  'previewed',
  'selected',
  'compared',
  'found',
  'warningMarks',
  'colour',
  'steps',
  'isColourBlindSafe',
  'patterns',
  'canPaintMarks',
] as const satisfies readonly (keyof ExplorerState)[];
