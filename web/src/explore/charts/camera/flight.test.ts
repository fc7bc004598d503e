import { expect, test } from 'vitest';
import { homeCamera } from './camera.ts';
import { arrivalAt } from './flight.ts';

const view = { width: 800, height: 600 };

test('a chart shown for the first time grows from the centre until all of it is visible', () => {
  const { at, ms } = arrivalAt(homeCamera, view, 'both');
  const zooms = [0, 0.2, 0.5, 0.8, 1].map((share) => at(share * ms).k);
  expect(zooms).toEqual([...zooms].sort((a, b) => a - b));
  expect(zooms[0]).toBeLessThan(0.05);
  expect(at(ms)).toEqual(homeCamera);
  for (const share of [0, 0.3, 0.9]) {
    const { x, y, k } = at(share * ms);
    expect([x + view.width / 2 / k, y + view.height / 2 / k].map((middle) => Math.round(middle))).toEqual([400, 300]);
  }
});

test('bars keep their full width during a flight', () => {
  const { at } = arrivalAt(homeCamera, view, 'upright');
  expect(at(0).x).toBe(0);
});
