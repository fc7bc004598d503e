import type { Layout } from './layout/layout.ts';
import type { Painter } from './paint/painter.ts';

/** One chart: where its marks are, and how they are painted. */
export type Chart = {
  /** Makes a layout for one canvas. Layouts keep state, so canvases do not share them. */
  readonly createLayout: () => Layout;
  readonly painter: Painter;
};
