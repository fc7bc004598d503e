import type { View } from '../model/url-state.ts';
import type { Chart } from './chart.ts';
import { treemap } from './treemap/chart.ts';

/** The views drawn on a canvas, which the Table is not. */
export type ChartView = Exclude<View, 'table'>;

/** Only the chart that most visits begin with is in the initial bundle; the others load when first chosen. */
const charts: Readonly<Record<ChartView, () => Promise<Chart>>> = {
  treemap: async () => treemap,
  bubbles: async () => (await import('./bubbles/chart.ts')).bubbles,
  sunburst: async () => (await import('./sunburst/chart.ts')).sunburst,
  icicle: async () => (await import('./icicle/chart.ts')).icicle,
  opportunity: async () => (await import('./opportunity/chart.ts')).opportunity,
  tree: async () => (await import('./tree/chart.ts')).tree,
};

/** @throws the browser's error if the script of the view cannot be loaded */
export const loadChart = (view: ChartView): Promise<Chart> => charts[view]();
