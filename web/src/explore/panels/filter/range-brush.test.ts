import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endAt, placeOf, placeOfEnd, roundEdges, stepEnd } from './range-brush.ts';

const edges = [0, 10, 100, 1000];

test('a value stands between its edges, and beyond them at the outermost', () => {
  expect([-5, 0, 5, 10, 55, 1000, 2000].map((value) => placeOf(edges, value))).toEqual([0, 0, 0.5, 1, 1.5, 3, 3]);
});

test('an end that is not there stands at the outermost edge, and put there it is none', () => {
  expect(placeOfEnd(edges, undefined, 'from')).toBe(0);
  expect(placeOfEnd(edges, { from: 10, to: undefined }, 'to')).toBe(3);
  expect(endAt(edges, { from: 10, to: 100 }, 'from', -2)).toEqual({ from: undefined, to: 100 });
  expect(endAt(edges, { from: 10, to: 100 }, 'to', 2.8)).toEqual({ from: 10, to: undefined });
});

test('steps lead to the next edge from wherever an end stands', () => {
  expect(stepEnd(edges, { from: 55, to: undefined }, 'from', 1)).toEqual({ from: 100, to: undefined });
  expect(stepEnd(edges, { from: 55, to: undefined }, 'from', -1)).toEqual({ from: 10, to: undefined });
  expect(stepEnd(edges, undefined, 'to', -1)).toEqual({ from: undefined, to: 100 });
});

test('no end passes the other one', () => {
  const end = fc.option(fc.double({ min: -10, max: 1100, noNaN: true }), { nil: undefined });
  fc.assert(
    fc.property(end, end, fc.constantFrom('from', 'to'), fc.integer({ min: -5, max: 5 }), (one, other, which, by) => {
      const isTurned = one !== undefined && other !== undefined && one > other;
      const range = isTurned ? { from: other, to: one } : { from: one, to: other };
      const { from, to } = stepEnd(edges, range, which, by);
      if (from !== undefined && to !== undefined) expect(from).toBeLessThanOrEqual(to);
    }),
  );
});

test('edges are as round as they can be and still differ', () => {
  expect(roundEdges([0, 2262.5, 4525])).toEqual([0, 2260, 4530]);
  expect(roundEdges([100_000, 100_001, 100_002])).toEqual([100_000, 100_001, 100_002]);
});
