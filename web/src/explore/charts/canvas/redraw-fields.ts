import type { ExplorerState } from '../../model/explorer-state.ts';

/** State that the layout depends on: a change needs a new layout. */
export const layoutFields = [
  'treeVersion',
  'ready',
  'sought',
  'size',
  'showsGone',
  // What is gone is weighed by the same script.
  'canPaintMarks',
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
] as const satisfies readonly (keyof ExplorerState)[];
