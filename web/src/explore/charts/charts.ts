import type { View } from '../model/url-state.ts';
import type { Chart } from './paint/painter.ts';
import { treemap } from './treemap/paint.ts';

/** The views that a layout and a painter make. */
export type ChartView = Exclude<View, 'table' | 'opportunity'>;

/** Only the chart that most visits begin with is in the initial bundle; the others load when first chosen. */
const charts: Readonly<Record<ChartView, () => Promise<Chart>>> = {
  treemap: async () => treemap,
  bubbles: async () => (await import('./bubbles/paint.ts')).bubbles,
  sunburst: async () => (await import('./sunburst/paint.ts')).sunburst,
  icicle: async () => (await import('./icicle/paint.ts')).icicle,
  tree: async () => (await import('./tree/paint.ts')).tree,
};

/** @throws the browser's error if the script of the view cannot be loaded */
export const loadChart = (view: ChartView): Promise<Chart> => charts[view]();
