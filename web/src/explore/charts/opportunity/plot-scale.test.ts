import { expect, test } from 'vitest';
import { nearestPoint } from './place-points.ts';
import {
  clampedView,
  pannedView,
  scaleOf,
  snapped,
  stepped,
  wholeView,
  widenedView,
  zoomedView,
} from './plot-scale.ts';
import { labelPoints } from './point-labels.ts';

const amounts = { min: 0, max: Number.POSITIVE_INFINITY, isAmount: true };
const linear = scaleOf(Float64Array.of(0, 20, 33, 60), { min: 0, max: 100 }, 0, 600);
const log = scaleOf(Float64Array.of(0, 10, 20, 30, 40, 90_000), amounts, 600, 0);

test('thresholds stop at round values of both kinds of axes, and at zero', () => {
  expect(linear.stops.slice(0, 4)).toEqual([0, 1, 2, 3]);
  expect(log.stops.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
  expect(log.stops).toContain(500);
  expect(snapped(linear, linear.at(30.4))).toBe(30);
  expect(snapped(log, log.at(512))).toBe(500);
});

test('a position and its value are the same, also beyond what can be known', () => {
  for (const value of [0, 7.5, 60]) expect(linear.valueAt(linear.at(value))).toBeCloseTo(value);
  for (const value of [0, 42, 90_000]) expect(log.valueAt(log.at(value))).toBeCloseTo(value, 3);
  expect(linear.valueAt(-1e6)).toBe(0);
  expect(linear.valueAt(1e6)).toBe(100);
});

test('steps lead from stop to stop, from between two to the next one, and no further than the ends', () => {
  expect([stepped(linear, 30, 1), stepped(linear, 30, -1), stepped(linear, 30, 10)]).toEqual([31, 29, 40]);
  expect([stepped(linear, 30.4, 1), stepped(linear, 30.4, -1)]).toEqual([31, 30]);
  expect([stepped(linear, 0, -10), stepped(log, 0, -1)]).toEqual([0, 0]);
  expect(stepped(linear, linear.stops.at(-1)!, 10)).toBe(linear.stops.at(-1));
});

test('decimals of stops are exact', () => {
  const scale = scaleOf(Float64Array.of(0.1, 0.5, 2.7), { min: 0, max: Number.POSITIVE_INFINITY }, 0, 600);
  for (const stop of scale.stops) expect(String(stop).length).toBeLessThanOrEqual(4);
});

test('an arrow key leads to the nearest point ahead, and to none if there is none', () => {
  const places = { x: [0, 10, 12, -5, 0], y: [0, 1, 9, 0, 20] };
  expect(nearestPoint(places, 0, 1, 0)).toBe(1);
  expect(nearestPoint(places, 0, -1, 0)).toBe(3);
  expect(nearestPoint(places, 0, 0, 1)).toBe(4);
  expect(nearestPoint(places, 0, 0, -1)).toBeUndefined();
});

test('labels never cover each other or leave the area, and those of the selection come first', () => {
  const points = Array.from({ length: 60 }, (_, i) => ({
    name: `point ${i}`,
    x: 20 + (i % 8) * 40,
    y: 20 + Math.floor(i / 8) * 25,
    radius: 4 + (i % 9),
  }));
  const area = { x0: 0, y0: 0, x1: 360, y1: 220 };
  const labels = labelPoints(points, area, [59]);
  expect(labels[0]!.index).toBe(59);
  expect(labels.length).toBeGreaterThan(5);
  for (const one of labels) {
    expect(one.x >= area.x0 && one.x + one.text.length * 6.7 <= area.x1).toBe(true);
    for (const other of labels) {
      if (one === other) continue;
      const isApart = Math.abs(one.y - other.y) >= 15 || one.x + one.text.length * 6.7 <= other.x || other.x < one.x;
      expect(isApart).toBe(true);
    }
  }
});

test('a label covers no point, however small', () => {
  const area = { x0: 0, y0: 0, x1: 400, y1: 400 };
  const point = (x: number, y: number) => ({ name: 'shoes', x, y, radius: 3 });
  const named = (points: readonly ReturnType<typeof point>[]) =>
    labelPoints(points, area, []).map(({ index }) => index);
  // Every place beside the first point has a point in it.
  const around = [point(200, 200), point(220, 200), point(180, 200), point(200, 185), point(200, 215)];
  expect(named(around)).not.toContain(0);
  expect(named(around.slice(0, 4))).toContain(0);
});

test('a part of an axis has its own ticks and stops, and the same values at its ends', () => {
  const values = Float64Array.of(0, 20, 33, 60);
  const kind = { min: 0, max: 100 };
  const part = scaleOf(values, kind, 0, 600, { start: 0.5, k: 4 });
  expect(part.valueAt(0)).toBeCloseTo(linear.valueAt(300));
  expect(part.valueAt(600)).toBeCloseTo(linear.valueAt(450));
  expect(part.ticks.every((tick) => part.at(tick) >= -1e-6 && part.at(tick) <= 600 + 1e-6)).toBe(true);
  expect(part.ticks.length).toBeGreaterThan(2);
  for (const value of [0, 20, 60]) expect(600 * part.shareOf(value)).toBeCloseTo(linear.at(value));
});

test('zooming keeps the point below the pointer, panning moves it along, and neither leaves the axes', () => {
  const at = { x: 0.25, y: 0.75 };
  const near = zoomedView(wholeView, 4, at);
  expect([near.x + at.x / near.k, near.y + at.y / near.k]).toEqual([at.x, at.y]);
  expect(pannedView(near, 0.5, 0).x).toBeCloseTo(near.x - 0.125);
  expect(pannedView(near, 9, 9)).toEqual({ x: 0, y: 0, k: 4 });
  expect(zoomedView(near, 0.01)).toEqual(wholeView);
  expect(clampedView({ x: 5, y: -3, k: 2 })).toEqual({ x: 0.5, y: 0, k: 2 });
});

test('a view is widened until it shows what lies beside it', () => {
  const near = { x: 0.5, y: 0.5, k: 10 };
  const wide = widenedView(near, [{ x: 0.1, y: 0.55 }]);
  expect(wide.x).toBeLessThan(0.1);
  expect(wide.x + 1 / wide.k).toBeGreaterThan(0.6);
  expect(
    widenedView(near, [
      { x: 0, y: 0 },
      { x: 1, y: 1 },
    ]),
  ).toEqual(wholeView);
});
