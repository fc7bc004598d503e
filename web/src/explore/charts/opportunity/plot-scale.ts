import { type Axis, type AxisKind, axisFor, placeOf, roundValues } from './axis.ts';

/** One axis in the plot. Positions are CSS pixels in its frame. */
export type Scale = {
  readonly at: (value: number) => number;
  readonly valueAt: (px: number) => number;
  /** The same, but not limited to possible values: the inverse of `at` in the whole frame. */
  readonly anyAt: (px: number) => number;
  readonly ticks: readonly number[];
  /** Round values that a threshold snaps to, ascending. */
  readonly stops: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly isLog: boolean;
  /** Where a value is, as a share of the whole axis. */
  readonly shareOf: (value: number) => number;
};

/** What is shown of an axis: from a share of it on, a `k`-th of it. */
type AxisPart = { readonly start: number; readonly k: number };
const wholeAxis: AxisPart = { start: 0, k: 1 };

/** Distance between ticks, in CSS pixels, at least. */
const tickPx = 64;
/** A linear axis has about this many stops. */
const linearStops = 100;
const ladder = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9];

/**
 * The scale of known values between two ends of the frame.
 *
 * @param values at least one
 * @param kind of the axis, see `kindOfAxis`
 */
export function scaleOf(values: Float64Array, kind: AxisKind, from: number, to: number, part = wholeAxis): Scale {
  const whole = axisFor(values, kind);
  const length = whole.high - whole.low;
  const low = whole.low + part.start * length;
  const axis: Axis = { ...whole, low, high: low + length / part.k };
  const unit = (to - from) / (axis.high - axis.low);
  const at = (value: number) => from + (placeOf(axis, value) - axis.low) * unit;
  const anyAt = (px: number) => {
    const place = axis.low + (px - from) / unit;
    return axis.isLog ? 10 ** place - 1 : place;
  };
  const maxTicks = Math.max(2, Math.floor(Math.abs(to - from) / tickPx));
  return {
    at,
    valueAt: (px) => Math.min(axis.max, Math.max(axis.min, anyAt(px))),
    anyAt,
    ticks: roundValues(axis, axis.low, axis.high, maxTicks),
    stops: stopsOf(axis),
    from,
    to,
    isLog: axis.isLog,
    shareOf: (value) => (placeOf(axis, value) - whole.low) / length,
  };
}

function stopsOf(axis: Axis): number[] {
  const isSeen = (value: number) => {
    const place = placeOf(axis, value);
    return place >= axis.low && place <= axis.high && value >= axis.min && value <= axis.max;
  };
  if (axis.isLog) {
    const powers = Array.from({ length: Math.ceil(axis.high) + 1 }, (_, power) => 10 ** power);
    const values = powers.flatMap((ten) => ladder.map((one) => Math.round(one * ten)));
    return [...new Set([0, ...values])].filter(isSeen);
  }
  const step = roundStep((axis.high - axis.low) / linearStops);
  const first = Math.ceil(axis.low / step);
  const count = Math.max(0, Math.floor(axis.high / step) - first + 1);
  // Dividing by a whole number keeps decimals exact: 3 / 10 is 0.3, but 3 × 0.1 is not.
  const times = (i: number) => (step < 1 ? i / Math.round(1 / step) : i * step);
  return Array.from({ length: count }, (_, i) => times(first + i)).filter(isSeen);
}

/** The smallest of 1, 2 and 5 times a power of ten that is at least `min`. */
function roundStep(min: number): number {
  const ten = 10 ** Math.floor(Math.log10(min));
  return [1, 2, 5, 10].map((one) => one * ten).find((step) => step >= min * (1 - 1e-9))!;
}

/** The stop nearest to a position. */
export function snapped({ stops, at, valueAt }: Scale, px: number): number {
  let best = stops[0];
  for (const stop of stops) if (best === undefined || Math.abs(at(stop) - px) < Math.abs(at(best) - px)) best = stop;
  return best ?? valueAt(px);
}

/** The stop `by` stops further on; from between two stops, the first one is the next. */
export function stepped({ stops }: Scale, value: number, by: number): number {
  if (stops.length === 0) return value;
  const next = stops.findIndex((stop) => stop > value);
  const above = next < 0 ? stops.length : next;
  const isStop = stops[above - 1] === value;
  const to = by > 0 ? above - 1 + by : above - (isStop ? 1 : 0) + by;
  return stops[Math.min(stops.length - 1, Math.max(0, to))]!;
}

/**
 * The part of a plot that is shown: from `x` on to the right and from `y` on upwards, as shares of both axes. A `k`-th of
 * each axis is visible.
 */
export type PlotView = { readonly x: number; readonly y: number; readonly k: number };

export const wholeView: PlotView = { x: 0, y: 0, k: 1 };

/** Further in, neighbouring values of an axis are too far apart to be compared. */
export const maxZoom = 1000;

/** The nearest possible view: nothing beyond the ends of the axes is shown. */
export function clampedView({ x, y, k }: PlotView): PlotView {
  const zoom = Math.min(maxZoom, Math.max(1, k));
  const within = (from: number) => Math.min(1 - 1 / zoom, Math.max(0, from));
  return { x: within(x), y: within(y), k: zoom };
}

/** Zooms while one point of the plot stays where it is. @param at shares of the width from the left, of the height from below */
export function zoomedView(view: PlotView, factor: number, at = { x: 0.5, y: 0.5 }): PlotView {
  const k = Math.min(maxZoom, Math.max(1, view.k * factor));
  return clampedView({ x: view.x + at.x / view.k - at.x / k, y: view.y + at.y / view.k - at.y / k, k });
}

/** Moves the visible part by shares of the width and the height of the plot. */
export function pannedView(view: PlotView, across: number, up: number): PlotView {
  return clampedView({ ...view, x: view.x - across / view.k, y: view.y - up / view.k });
}

/** A view that also shows some points, given as shares of both axes. */
export function widenedView(view: PlotView, points: readonly { readonly x: number; readonly y: number }[]): PlotView {
  const around = (of: 'x' | 'y') => {
    const all = [view[of], view[of] + 1 / view.k, ...points.map((point) => point[of])];
    return { from: Math.min(...all), to: Math.max(...all) };
  };
  const [x, y] = [around('x'), around('y')];
  // A little room beyond the outermost point.
  const length = Math.min(1, Math.max(x.to - x.from, y.to - y.from) * 1.1);
  const middle = ({ from, to }: { from: number; to: number }) => (from + to) / 2 - length / 2;
  return clampedView({ x: middle(x), y: middle(y), k: 1 / length });
}
