import type { ReactNode } from 'react';
import { counted } from '../../format/numbers.ts';
import { type PlotView, widenedView } from './plot-view.ts';
import type { Box } from './point-labels.ts';

type EdgeProps = {
  readonly area: Box;
  /** Shares of both axes, one per point. */
  readonly shares: { readonly x: Float64Array; readonly y: Float64Array };
  readonly view: PlotView;
  readonly onView: (next: PlotView) => void;
};

const sides = ['left', 'right', 'above', 'below'] as const;
type Side = (typeof sides)[number];

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
export function EdgeCounts({ area, shares, view, onView }: EdgeProps) {
  const beyond: Record<Side, { x: number; y: number }[]> = { left: [], right: [], above: [], below: [] };
  for (let nth = 0; nth < shares.x.length; nth++) {
    const point = { x: shares.x[nth]!, y: shares.y[nth]! };
    const side = sideOf(view, point);
    if (side) beyond[side].push(point);
  }
  const middle = { x: (area.x0 + area.x1) / 2, y: (area.y0 + area.y1) / 2 };
  const places = {
    left: { left: area.x0 + insetPx, top: middle.y, transform: 'translateY(-50%)' },
    right: { left: area.x1 - insetPx, top: middle.y, transform: 'translate(-100%, -50%)' },
    above: { left: middle.x, top: area.y0 + insetPx, transform: 'translateX(-50%)' },
    below: { left: middle.x, top: area.y1 - insetPx, transform: 'translate(-50%, -100%)' },
  } as const;
  return sides.map((side) => {
    const points = beyond[side];
    if (points.length === 0) return null;
    return (
      <button
        key={side}
        type="button"
        aria-label={`${counted(points.length, 'mark')} ${words[side]}. Show them`}
        onClick={() => onView(widenedView(view, points))}
        className="absolute z-10 h-6 rounded-chip border border-line bg-surface px-1.5 text-micro text-ink tabular-nums shadow-1 hover:bg-sunken touch:h-11 touch:min-w-11"
        style={places[side]}
      >
        {arrows[side](points.length)}
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
  left: (count) => `◂ ${count}`,
  right: (count) => `${count} ▸`,
  above: (count) => `▴ ${count}`,
  below: (count) => `▾ ${count}`,
};

/** The side on which a point is out of view; undefined if it is seen. */
export function sideOf({ x, y, k }: PlotView, point: { readonly x: number; readonly y: number }): Side | undefined {
  if (point.x < x) return 'left';
  if (point.x > x + 1 / k) return 'right';
  if (point.y < y) return 'below';
  return point.y > y + 1 / k ? 'above' : undefined;
}
