import type { View } from '../model/url-state.ts';
import type { Chart } from './chart.ts';
import { treemap } from './treemap/chart.ts';

/** The views that are drawn; the Table is none of them. */
export type ChartView = Exclude<View, 'table'>;

/** Only what most visits begin with is there from the start; the others come when they are first chosen. */
const charts: Readonly<Record<ChartView, () => Promise<Chart>>> = {
  treemap: async () => treemap,
  bubbles: async () => (await import('./bubbles/chart.ts')).bubbles,
  sunburst: async () => (await import('./sunburst/chart.ts')).sunburst,
  icicle: async () => (await import('./icicle/chart.ts')).icicle,
  opportunity: async () => (await import('./opportunity/chart.ts')).opportunity,
  tree: async () => (await import('./tree/chart.ts')).tree,
};

/** @throws what the browser throws when the view's script cannot be loaded */
export const loadChart = (view: ChartView): Promise<Chart> => charts[view]();
