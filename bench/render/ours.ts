import type { Slice, SliceQuery } from '../../pack/src/slice/slice.ts';
import { bubbles } from '../../web/src/explore/charts/bubbles/paint.ts';
import { createMotion } from '../../web/src/explore/charts/canvas/motion.ts';
import { createStage } from '../../web/src/explore/charts/canvas/stage.ts';
import type { ChartView } from '../../web/src/explore/charts/charts.ts';
import { icicle } from '../../web/src/explore/charts/icicle/paint.ts';
import type { Chart } from '../../web/src/explore/charts/paint/painter.ts';
import { sunburst } from '../../web/src/explore/charts/sunburst/paint.ts';
import { tree } from '../../web/src/explore/charts/tree/paint.ts';
import { treemap } from '../../web/src/explore/charts/treemap/paint.ts';
import { createExplorer } from '../../web/src/explore/model/explorer.ts';
import { unaskedSource } from '../../web/test/support/source.ts';

export type OursOptions = {
  readonly view: ChartView;
  /** Number of nodes in the whole tree. */
  readonly nodes: number;
  readonly slice: (query: SliceQuery, signal: AbortSignal) => Promise<Slice>;
  /** Laid out as on the screen; `overlay` covers the canvas. */
  readonly canvas: HTMLCanvasElement;
  readonly overlay: HTMLCanvasElement;
  /** Whether animation is allowed. */
  readonly allowsMotion: () => boolean;
};

const charts: Readonly<Record<ChartView, Chart>> = { treemap, bubbles, sunburst, icicle, tree };

/** The chart engine of the product, without the panels around the chart; not started yet. */
export function openOurs({ view, nodes, slice, canvas, overlay, allowsMotion }: OursOptions) {
  const explorer = createExplorer({
    visualization: { id: 'bench', fileName: 'bench.json', nodes },
    linkId: 'bench',
    isDefault: () => true,
    source: {
      ...unaskedSource,
      slice,
      fields: async () => [],
    },
    // All levels, as the others draw them.
    addressBar: { read: () => `?view=${view}&d=all`, write: () => undefined, listen: () => () => undefined },
    room: { isSmall: false, panelsOpen: false },
    explain: String,
  });
  const motion = createMotion({ canvas, overlay, allowsMotion });
  const open = () => createStage({ canvas, motion, explorer, chart: charts[view], allowsMotion, theme: () => 'dark' });
  return { explorer, motion, open };
}
