import type { ReactNode } from 'react';
import { counted, exact } from '../../format/figure-text.ts';
import type { Density } from './density.ts';
import { type PlotView, widenedView } from './plot-view.ts';
import type { Box } from './point-labels.ts';

type EdgeProps = {
  readonly area: Box;
  readonly beyond: Readonly<Record<Side, Beyond>>;
  readonly view: PlotView;
  readonly onView: (next: PlotView) => void;
};

const sides = ['left', 'right', 'above', 'below'] as const;
type Side = (typeof sides)[number];
type Share = { readonly x: number; readonly y: number };

/** The points on a side that are not seen: how many, and shares of both axes that the view must have to show them. */
type Beyond = { readonly count: number; readonly reach: (view: PlotView) => readonly Share[] };

/** Room between a count and the edge that it stands at, in CSS pixels. */
const insetPx = 4;

/** A count with its margins, in CSS pixels. */
const chipPx = { width: 60, height: 30 };

/** Where counts may stand: no name of a point covers them. */
export function edgeBoxes({ x0, y0, x1, y1 }: Box): Box[] {
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

/** How many points lie beyond each edge. A click shows them, too. */
export function EdgeCounts({ area, beyond, view, onView }: EdgeProps) {
  const middle = { x: (area.x0 + area.x1) / 2, y: (area.y0 + area.y1) / 2 };
  const places = {
    left: { left: area.x0 + insetPx, top: middle.y, transform: 'translateY(-50%)' },
    right: { left: area.x1 - insetPx, top: middle.y, transform: 'translate(-100%, -50%)' },
    above: { left: middle.x, top: area.y0 + insetPx, transform: 'translateX(-50%)' },
    below: { left: middle.x, top: area.y1 - insetPx, transform: 'translate(-50%, -100%)' },
  } as const;
  return sides.map((side) => {
    const { count, reach } = beyond[side];
    if (count === 0) return null;
    return (
      <button
        key={side}
        type="button"
        aria-label={`${counted(count, 'mark')} ${words[side]}. Show them`}
        onClick={() => onView(widenedView(view, reach(view)))}
        className="absolute z-10 h-6 rounded-chip border border-line bg-surface px-1.5 text-micro text-ink tabular-nums shadow-1 hover:bg-sunken touch:h-11 touch:min-w-11"
        style={places[side]}
      >
        {arrows[side](count)}
      </button>
    );
  });
}

const words: Readonly<Record<Side, string>> = {
  left: 'further left',
  right: 'further right',
  above: 'further up',
  below: 'further down',
};
const arrows: Readonly<Record<Side, (count: number) => ReactNode>> = {
  left: (count) => `◂ ${exact(count)}`,
  right: (count) => `${exact(count)} ▸`,
  above: (count) => `▴ ${exact(count)}`,
  below: (count) => `▾ ${exact(count)}`,
};

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
export function sideOf({ x, y, k }: PlotView, point: { readonly x: number; readonly y: number }): Side | undefined {
  if (point.x < x) return 'left';
  if (point.x > x + 1 / k) return 'right';
  if (point.y < y) return 'below';
  return point.y > y + 1 / k ? 'above' : undefined;
}
