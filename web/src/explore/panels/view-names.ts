import type { View } from '../model/url-state.ts';

/** The label of each view. */
export const viewNames: Readonly<Record<View, string>> = {
  treemap: 'Treemap',
  bubbles: 'Bubbles',
  sunburst: 'Sunburst',
  icicle: 'Icicle',
  tree: 'Tree',
  opportunity: 'Opportunity',
  table: 'Table',
};
