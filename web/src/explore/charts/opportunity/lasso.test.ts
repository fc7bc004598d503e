import { maxCorners } from '@kc/pack/filter/filter';
import { isInArea, readFilter } from '@kc/pack/filter/filter-text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPickedOf, nothingPicked, pickAll } from '../../model/picked.ts';
import type { PointsQuery } from '../../model/source.ts';
import { endsIn, pickByValues, shareFigureOf } from '../../panels/opportunity/values-dialog.tsx';
import { afterKey, areaOf, type KeyDrawing, pickArea, pickedArea, pickedPoints, shapeOf, simplified } from './lasso.ts';
import { scaleOf } from './plot-scale.ts';

const query: PointsQuery = {
  level: 'clusters',
  areasOf: 'clusters',
  within: 0,
  filter: 'has-shoe',
  x: 'difficulty',
  y: 'volume',
  size: 'keywords',
};
const amounts = { min: 0, max: Number.POSITIVE_INFINITY, isAmount: true };
const scales = {
  x: scaleOf(Float64Array.of(0, 20, 33, 60), { min: 0, max: 100 }, 0, 600),
  y: scaleOf(Float64Array.of(0, 10, 20, 30, 40, 90_000), amounts, 400, 0),
};
const box = { x0: 0, y0: 0, x1: 600, y1: 400 };
const square = [
  { x: 100, y: 100 },
  { x: 300, y: 100 },
  { x: 300, y: 300 },
  { x: 100, y: 300 },
];

test('a drawn line becomes its corners', () => {
  const along = square.flatMap((from, at) => {
    const to = square[(at + 1) % 4]!;
    return Array.from({ length: 50 }, (_, n) => ({
      x: from.x + ((to.x - from.x) * n) / 50,
      y: from.y + ((to.y - from.y) * n) / 50,
    }));
  });
  expect(simplified(along)).toEqual(square);
});

test('a circle keeps as many corners as a link can hold, and nearly its size', () => {
  const circle = Array.from({ length: 400 }, (_, n) => ({
    x: 200 + 100 * Math.cos((n * Math.PI) / 200),
    y: 200 + 100 * Math.sin((n * Math.PI) / 200),
  }));
  const shape = simplified(circle);
  expect(shape).toHaveLength(maxCorners);
  const size = shape.reduce((sum, { x, y }, at) => {
    const next = shape[(at + 1) % shape.length]!;
    return sum + (x * next.y - next.x * y) / 2;
  }, 0);
  expect(Math.abs(size)).toBeGreaterThan(0.98 * Math.PI * 100 ** 2);
});

test('a click or a straight line is no shape', () => {
  expect(simplified([{ x: 5, y: 5 }]).length).toBeLessThan(3);
  expect(simplified(Array.from({ length: 40 }, (_, n) => ({ x: n, y: 2 * n }))).length).toBeLessThan(3);
});

// Shows P14.20.
test('a shape is where it was drawn, as an area in a filter too, and holds the points that it holds on the screen', () => {
  const place = fc.record({ x: fc.integer({ min: 0, max: 600 }), y: fc.integer({ min: 0, max: 400 }) });
  fc.assert(
    fc.property(fc.array(place, { minLength: 3, maxLength: 12 }), place, (line, point) => {
      const shape = simplified(line);
      fc.pre(shape.length >= 3);
      const picked = pickArea(query, areaOf(shape, query, scales));
      const area = pickedArea(picked, query)!;
      const shown = shapeOf(area, scales)!;
      for (const [at, { x, y }] of shown.entries()) {
        expect(x).toBeCloseTo(shape[at]!.x, 0);
        expect(y).toBeCloseTo(shape[at]!.y, 0);
      }
      // In pixels, with even edges: the same answer as in values, unless the point is within a pixel of an edge.
      const flat = (by: number) =>
        isInArea(
          { isLog: { x: false, y: false }, corners: shown.map(({ x, y }) => [x, y] as const) },
          point.x + by,
          point.y + by,
        );
      fc.pre(flat(0) === flat(1.5) && flat(0) === flat(-1.5) && flat(0) === flat(0.01));
      const isIn = isInArea(area, scales.x.anyAt(point.x), scales.y.anyAt(point.y));
      expect(isIn).toBe(flat(0));
    }),
  );
});

test('a selection by a shape keeps the filter of the screen, and is not that of other axes or another level', () => {
  const picked = pickArea(query, areaOf(square, query, scales));
  expect(readFilter(picked.filter)).toMatchObject({ contains: ['shoe'], areas: [{ level: 'clusters' }] });
  expect(pickedArea(picked, query)?.corners).toHaveLength(4);
  expect(pickedArea(picked, { ...query, x: 'cpc' })).toBeUndefined();
  expect(pickedArea(picked, { ...query, level: 'keywords' })).toBeUndefined();
  expect(pickedArea(picked, { ...query, filter: picked.filter })).toBeUndefined();
  expect(pickedArea(nothingPicked, query)).toBeUndefined();
});

test('selected points are those in the area, or those that were picked one by one', () => {
  const points = {
    nodes: [7, 8, 9],
    names: ['a', 'b', 'c'],
    pillars: [0, 0, 0],
    x: [10, 20, 90],
    y: [600, 600, 600],
    size: [1, 1, 1],
    hardly: [0, 0, 0],
  };
  const picked = pickByValues(query, [15, 30], [500, 700], undefined);
  expect(pickedPoints(points, picked, pickedArea(picked, query))).toEqual([1]);
  expect(pickedPoints(points, { ...nothingPicked, rows: new Map([[9, 'x']]) }, undefined)).toEqual([2]);
  expect(pickedPoints(points, nothingPicked, undefined)).toEqual([]);
  // All of a list, as the table selects it.
  const list = { ...query, sort: '', fields: [], withTrends: false };
  expect(pickedPoints(points, { ...pickAll(list), rows: new Map([[8, 'x']]) }, undefined)).toEqual([0, 2]);
  // Where the place alone does not decide, nothing is marked.
  const byShare = pickByValues(query, [15, 30], [500, 700], { of: 'difficulty', percent: 20 });
  expect(pickedPoints(points, byShare, pickedArea(byShare, query))).toEqual([]);
});

test('a selection by a shape is gone under another filter, at another level and in another branch', () => {
  const picked = pickArea(query, areaOf(square, query, scales));
  expect(isPickedOf(picked, query)).toBe(true);
  for (const other of [{ filter: '' }, { level: 'keywords' as const }, { within: 7 }])
    expect(isPickedOf(picked, { ...query, ...other })).toBe(false);
  expect(isPickedOf({ ...nothingPicked, rows: new Map([[9, 'x']]) }, { ...query, filter: '' })).toBe(true);
});

test('keys move the crosshair within the plot, set corners and take them back', () => {
  const key = (name: string, shiftKey = false) => ({ key: name, shiftKey });
  let drawing: KeyDrawing = { at: { x: 300, y: 200 }, corners: [] };
  for (const one of [key(' '), key('ArrowRight'), key('ArrowUp', true), key(' '), key(' '), key('Backspace')])
    drawing = afterKey(drawing, one, box)!;
  expect(drawing).toEqual({
    at: { x: 308, y: 199 },
    corners: [
      { x: 300, y: 200 },
      { x: 308, y: 199 },
    ],
  });
  for (let n = 0; n < 100; n++) drawing = afterKey(drawing, key('ArrowLeft'), box)!;
  expect(drawing.at.x).toBe(0);
  expect(afterKey(drawing, key('t'), box)).toBeUndefined();
});

test('written ends are numbers, empty ones the limits, and others are explained', () => {
  expect(endsIn({ from: '1,000', to: '' }, [0, 90_000])).toEqual([1000, 90_000]);
  expect(endsIn({ from: '', to: '30' }, [2, 100])).toEqual([2, 30]);
  expect(endsIn({ from: '100,000', to: '' }, [0, 90_000])).toEqual([100_000, 100_000]);
  expect(endsIn({ from: '', to: '1' }, [2, 100])).toEqual([1, 1]);
  expect(endsIn({ from: 'ten', to: '' }, [0, 1])).toBe('“ten” is not a number.');
  expect(endsIn({ from: '5', to: '3' }, [0, 9])).toBe('5 is more than 3.');
});

test('a least known share is asked of clusters and pillars whose axes know one', () => {
  expect([shareFigureOf(query), shareFigureOf({ ...query, level: 'keywords' })]).toEqual(['difficulty', undefined]);
  const { filter } = pickByValues(query, [0, 30], [500, 9000], { of: 'difficulty', percent: 20 });
  expect(readFilter(filter)?.branches).toEqual([{ level: 'cluster', of: 'known.difficulty', from: 20, to: undefined }]);
  const twice = pickByValues({ ...query, filter }, [0, 30], [500, 9000], { of: 'difficulty', percent: 10 });
  expect(readFilter(twice.filter)?.branches).toMatchObject([{ from: 20 }]);
});
