import type { View } from '../model/url-state.ts';
import type { Layout } from './layout/layout.ts';
import type { Drawing } from './paint/painter.ts';
import { treemap } from './treemap/chart.ts';

/** What makes one view: where everything stands, and how it is painted. */
export type Picture = {
  /** A layout of its own for each canvas: layouts remember. */
  readonly createLayout: () => Layout;
  readonly drawing: Drawing;
};

/** The views that are drawn; the Table is none of them. */
export type DrawnView = Exclude<View, 'table'>;

/** Only what most visits begin with is there from the start; the others come when they are first chosen. */
const pictures: Readonly<Record<DrawnView, () => Promise<Picture>>> = {
  treemap: async () => treemap,
  bubbles: async () => (await import('./bubbles/chart.ts')).bubbles,
  sunburst: async () => (await import('./sunburst/chart.ts')).sunburst,
  icicle: async () => (await import('./icicle/chart.ts')).icicle,
  opportunity: async () => (await import('./opportunity/chart.ts')).opportunity,
  tree: async () => (await import('./tree/chart.ts')).tree,
};

/** @throws what the browser throws when the view's script cannot be loaded */
export const loadPicture = (view: DrawnView): Promise<Picture> => pictures[view]();
