import { expect, test } from 'vitest';
import { nearestPoint } from './nearest-point.ts';
import { scaleOf, snapped, stepped } from './plot-scale.ts';
import { labelPoints } from './point-labels.ts';

const linear = scaleOf('difficulty', Float64Array.of(0, 20, 33, 60), 0, 600);
const log = scaleOf('volume', Float64Array.of(0, 10, 20, 30, 40, 90_000), 600, 0);

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
  const scale = scaleOf('cpc', Float64Array.of(0.1, 0.5, 2.7), 0, 600);
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
  const points = Array.from({ length: 60 }, (_, nth) => ({
    name: `point ${nth}`,
    x: 20 + (nth % 8) * 40,
    y: 20 + Math.floor(nth / 8) * 25,
    radius: 4 + (nth % 9),
  }));
  const area = { x0: 0, y0: 0, x1: 360, y1: 220 };
  const labels = labelPoints(points, area, [59]);
  expect(labels[0]!.nth).toBe(59);
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
