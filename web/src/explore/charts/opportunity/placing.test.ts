import { describe, expect, test } from 'vitest';
import { axisFor, kindOfAxis, roundValues } from './axis.ts';
import { placePoints } from './place-points.ts';
import { type PlotView, scaleOf, wholeView } from './plot-scale.ts';
import { axisTitle, quadrantNames } from './plot-text.ts';

/** Points by name: keywords, volume and difficulty. */
const shop = { shoes: [400, 9000, 40], hats: [100, 500, 70], caps: [25, 4000, 10] } as const;
type Points = Readonly<Record<string, readonly [keywords: number, volume: number, difficulty: number]>>;

/** Where points are in a plot of so many CSS pixels, by name. */
function placed(points: Points, isEqual = false, view: PlotView = wholeView, width = 900, height = 600) {
  const columns = Object.values(points);
  const [size, y, x] = [0, 1, 2].map((at) => columns.map((one) => one[at]!)) as [number[], number[], number[]];
  const [xs, ys] = [Float64Array.from(x), Float64Array.from(y)];
  const across = scaleOf(xs, kindOfAxis('difficulty', xs, 'mean', undefined), 0, width, { start: view.x, k: view.k });
  const up = scaleOf(ys, kindOfAxis('volume', ys, 'sum', undefined), height, 0, { start: view.y, k: view.k });
  const at = placePoints({ x, y, size }, across, up, isEqual);
  const place = (i: number) => ({ x: at.x[i]!, y: at.y[i]!, radius: at.radius[i]! });
  return { across, up, of: Object.fromEntries(Object.keys(points).map((name, i) => [name, place(i)])) };
}

describe('points', () => {
  test.each([
    [1440, 900],
    [390, 500],
  ])('are seen completely in %i × %i, even the largest ones at the edges', (width, height) => {
    const points: Points = { shoes: [9000, 9000, 100], hats: [8000, 8000, 0], caps: [0, 0, 50] };
    for (const { x, y, radius } of Object.values(placed(points, false, wholeView, width, height).of)) {
      expect(x - radius).toBeGreaterThanOrEqual(0);
      expect(x + radius).toBeLessThanOrEqual(width);
      expect(y - radius).toBeGreaterThanOrEqual(0);
      expect(y + radius).toBeLessThanOrEqual(height);
    }
  });

  test('difficulty increases to the right, volume upwards, and areas are in proportion to the keywords', () => {
    const { shoes, hats, caps } = placed(shop).of;
    expect(caps!.x).toBeLessThan(shoes!.x);
    expect(shoes!.x).toBeLessThan(hats!.x);
    expect(shoes!.y).toBeLessThan(caps!.y);
    expect(caps!.y).toBeLessThan(hats!.y);
    expect((shoes!.radius / hats!.radius) ** 2).toBeCloseTo(4, 9);
  });

  test('a volume of 0 has a position', () => {
    const { up, of } = placed({ a: [1, 0, 0], b: [1, 10, 50] });
    expect(of.a!.y).toBe(up.at(0));
    expect(of.a!.y).toBeLessThanOrEqual(600);
  });

  // Shows P14.9.
  test('points of equal values are all seen, close to their place', () => {
    const names = Array.from({ length: 40 }, (_, at) => `k${at}`);
    const { of } = placed({ ...Object.fromEntries(names.map((name) => [name, [1, 50, 30]])), other: [1, 9, 9] }, true);
    const middles = names.map((name) => of[name]!);
    const distance = (one: (typeof middles)[number], other: (typeof middles)[number]) =>
      Math.hypot(one.x - other.x, one.y - other.y);
    for (const [at, middle] of middles.entries()) {
      expect(distance(middle, middles[0]!)).toBeLessThanOrEqual(24.01);
      for (const other of middles.slice(0, at)) expect(distance(middle, other)).toBeGreaterThan(2);
    }
  });

  test('zooming spreads the points without enlarging them', () => {
    const [whole, near] = [placed(shop).of, placed(shop, false, { x: 0, y: 0, k: 3 }).of];
    expect((near.hats!.x - near.caps!.x) / (whole.hats!.x - whole.caps!.x)).toBeCloseTo(3, 9);
    expect(near.shoes!.radius).toBe(whole.shoes!.radius);
  });

  test('tick labels are within the axes, at the position of points with that value', () => {
    const { across, up, of } = placed(shop);
    for (const tick of across.ticks) expect(across.at(tick) >= 0 && across.at(tick) <= 900).toBe(true);
    for (const tick of up.ticks) expect(up.at(tick) >= 0 && up.at(tick) <= 600).toBe(true);
    expect(across.ticks).toContain(40);
    expect(across.at(40)).toBeCloseTo(of.shoes!.x, 9);
  });
});

test('an axis says how a branch gets its figure, if the name does not', () => {
  const rollUps = { x: 'count', y: 'sum' } as const;
  expect(axisTitle({ axes: { x: 'keywords', y: 'field:Traffic' }, rollUps }, 'y')).toBe('Traffic, sum');
  expect(axisTitle({ axes: { x: 'keywords', y: 'volume' }, rollUps }, 'x')).toBe('Keywords');
  expect(axisTitle({ axes: { x: 'keywords', y: 'volume' }, rollUps }, 'y')).toBe('Volume a month');
});

test('quadrants say what to do if one axis is a cost and the other a benefit, otherwise what is high and low', () => {
  const mean = { x: 'mean', y: 'mean' } as const;
  expect(quadrantNames({ x: 'difficulty', y: 'volume' }, { x: 'mean', y: 'sum' }).upperLeft).toBe('Write first');
  expect(quadrantNames({ x: 'keywords', y: 'difficulty' }, { x: 'count', y: 'mean' })).toEqual({
    upperLeft: 'Leave for later',
    upperRight: 'Worth the effort',
    lowerLeft: 'Easy extras',
    lowerRight: 'Write first',
  });
  expect(quadrantNames({ x: 'field:Score', y: 'cpc' }, mean).upperLeft).toBe('High CPC, low Score');
  expect(quadrantNames({ x: 'cpc', y: 'keywords' }, { x: 'mean', y: 'count' }).lowerRight).toBe(
    'Few keywords, high CPC',
  );
  expect(quadrantNames({ x: 'difficulty', y: 'field:Score' }, mean).lowerRight).toBe('Low Score, high difficulty');
});

describe('an axis', () => {
  const amounts = { min: 0, max: Number.POSITIVE_INFINITY };

  test('is logarithmic for skewed values', () => {
    const values = (big: number) => Float64Array.from({ length: 20 }, (_, i) => (i >= 18 ? big : 10 + i));
    expect(axisFor(values(100), amounts).isLog).toBe(false);
    expect(axisFor(values(10_000), amounts).isLog).toBe(true);
    expect(axisFor(values(100), { min: 0, max: 100 }).isLog).toBe(false);
  });

  test('has round values', () => {
    const line = { isLog: false, low: -4, high: 104, min: 0, max: 100 };
    expect(roundValues(line, 3, 97, 5)).toEqual([20, 40, 60, 80]);
    expect(roundValues(line, 31.2, 31.9, 4)).toEqual([31.2, 31.4, 31.6, 31.8].map((v) => expect.closeTo(v, 9)));
    expect(roundValues(line, -4, 104, 3)).toEqual([0, 50, 100]);
    const magnitudes = { isLog: true, low: 0, high: 5, min: 0, max: Number.POSITIVE_INFINITY };
    expect(roundValues(magnitudes, -0.1, 4.1, 6)).toEqual([0, 1, 10, 100, 1000, 10_000]);
    expect(roundValues(magnitudes, 1.9, 3.1, 6)).toEqual([100, 200, 500, 1000]);
  });

  test('has round values below 0 if there are negative values', () => {
    const values = Float64Array.of(-0.5, 0.1, 0.4);
    const axis = axisFor(values, { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY });
    expect(roundValues(axis, axis.low, axis.high, 6)).toEqual([-0.4, -0.2, 0, 0.2, 0.4]);
    expect(roundValues({ ...axis, min: 0 }, axis.low, axis.high, 6)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
  });

  test('has room on both sides of a single value', () => {
    const { low, high } = axisFor(Float64Array.of(30), { min: 0, max: 100 });
    expect(low < 30 && high > 30).toBe(true);
  });
});
