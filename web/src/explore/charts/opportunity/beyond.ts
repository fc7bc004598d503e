import type { Edges } from '../layout/layout.ts';
import type { Density } from './density.ts';
import type { PlotView } from './plot-scale.ts';

export const sides = ['left', 'right', 'above', 'below'] as const;
export type Side = (typeof sides)[number];
type Share = { readonly x: number; readonly y: number };

/** The points on a side that are not seen: how many, and shares of both axes that the view must have to show them. */
export type Beyond = { readonly count: number; readonly reach: (view: PlotView) => readonly Share[] };

/** Room between a count and the edge that it stands at, in CSS pixels. */
export const insetPx = 4;

/** A count with its margins, in CSS pixels. */
const chipPx = { width: 60, height: 30 };

/** Where counts may stand: no name of a point covers them. */
export function edgeBoxes({ x0, y0, x1, y1 }: Edges): Edges[] {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const { width, height } = chipPx;
  const [left, top] = [x - width / 2, y - height / 2];
  return [
    { x0, y0: top, x1: x0 + width, y1: top + height },
    { x0: x1 - width, y0: top, x1, y1: top + height },
    { x0: left, y0, x1: left + width, y1: y0 + height },
    { x0: left, y0: y1 - height, x1: left + width, y1 },
  ];
}

/** The points of a list that are not seen. @param shares of both axes, one per point */
export function beyondView(
  view: PlotView,
  shares: { readonly x: Float64Array; readonly y: Float64Array },
): Record<Side, Beyond> {
  const points: Record<Side, Share[]> = { left: [], right: [], above: [], below: [] };
  for (let nth = 0; nth < shares.x.length; nth++) {
    const point = { x: shares.x[nth]!, y: shares.y[nth]! };
    const side = sideOf(view, point);
    if (side) points[side].push(point);
  }
  return eachSide((side) => ({ count: points[side].length, reach: () => points[side] }));
}

/** The points that the server counted beyond a window. They may lie anywhere up to the end of the axis. */
export const beyondCells = ({ beyond }: Density): Record<Side, Beyond> =>
  eachSide((side) => ({ count: beyond[side], reach: (view) => [ends[side](view)] }));

const eachSide = (of: (side: Side) => Beyond): Record<Side, Beyond> => ({
  left: of('left'),
  right: of('right'),
  above: of('above'),
  below: of('below'),
});

const ends: Readonly<Record<Side, (view: PlotView) => Share>> = {
  left: ({ y }) => ({ x: 0, y }),
  right: ({ y }) => ({ x: 1, y }),
  above: ({ x }) => ({ x, y: 1 }),
  below: ({ x }) => ({ x, y: 0 }),
};

/** The side on which a point is out of view; undefined if it is seen. */
function sideOf({ x, y, k }: PlotView, point: { readonly x: number; readonly y: number }): Side | undefined {
  if (point.x < x) return 'left';
  if (point.x > x + 1 / k) return 'right';
  if (point.y < y) return 'below';
  return point.y > y + 1 / k ? 'above' : undefined;
}
