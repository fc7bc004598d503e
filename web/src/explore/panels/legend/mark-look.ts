import type { MarkLook } from '../../charts/paint/colours.ts';
import { depthOf, type ExplorerState, levelsOf } from '../../model/explorer-state.ts';
import type { View } from '../../model/url-state.ts';

const forms: Readonly<Record<View, MarkLook['form'] | undefined>> = {
  treemap: 'boxes',
  bubbles: 'circles',
  sunburst: 'arcs',
  icicle: 'bars',
  tree: 'links',
  opportunity: undefined,
  table: undefined,
};
/** With automatic depth, most closed marks are at this level. */
const defaultLevel = 2;
/** Deeper marks look like those of this level. */
const deepestLevel = 3;

/** What the marks of the current chart look like; undefined without a chart. */
export function markLookOf(
  state: Pick<ExplorerState, 'view' | 'depth' | 'defaultDepth' | 'autoExpand'>,
): MarkLook | undefined {
  const form = forms[state.view];
  const depth = depthOf(state);
  return form && { form, level: depth === 'auto' ? defaultLevel : Math.min(deepestLevel, levelsOf(depth)) };
}
