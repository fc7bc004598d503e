import { expect, test } from 'vitest';
import type { Marks } from '../layout/layout.ts';
import { makingLegible, onPart, onRow, onWhole } from './camera-targets.ts';

const view = { width: 800, height: 600 };
const home = { x: 0, y: 0, k: 1 };
const marksOf = (form: Marks['form'], more: Partial<Marks> = {}) =>
  ({ form, extent: view, zooms: 'both', ...more }) as Marks;

test('a chart that fills the view is whole at home; a tree is centred, and not enlarged', () => {
  expect(onWhole(marksOf('boxes'), view)).toEqual(home);
  expect(onWhole(marksOf('links', { extent: { width: 200, height: 100 } }), view)).toEqual({ x: -300, y: -250, k: 1 });
});

test('a part of the view is shown as large as it fits, inside a margin of 8 pixels', () => {
  // At twice the size, 392 x 292 pixels are 196 x 146 units, with the middle at (198, 148).
  const to = onPart({ x0: 200, y0: 150, x1: 592, y1: 442 }, { x: 0, y: 0, k: 2 }, view, 'both');
  expect(to.k).toBe(4);
  expect([to.x, to.y]).toEqual([198 - 100, 148 - 75]);
});

test('a row is shown with a margin of 48 pixels; in a tree at most at twice the size', () => {
  const box = { x0: 0, y0: 0, x1: 88, y1: 63 };
  expect(onRow(box, marksOf('boxes'), view).k).toBe(8);
  expect(onRow(box, marksOf('links'), view).k).toBe(2);
});

test('the camera only moves to a row whose name is not legible, and never among points', () => {
  const box = { x0: 0, y0: 0, x1: 40, y1: 10 };
  expect(makingLegible(box, marksOf('boxes'), { ...home, k: 1.5 }, view)).toBeUndefined();
  expect(makingLegible(box, marksOf('bars'), { ...home, k: 1.4 }, view)).toBeUndefined();
  expect(makingLegible(box, marksOf('scatter'), home, view)).toBeUndefined();
  // 600 pixels minus two margins of 252 leave 96 for 10 units in height, 296 for 40 in width.
  expect(makingLegible(box, marksOf('boxes'), home, view)?.k).toBeCloseTo(7.4);
});
