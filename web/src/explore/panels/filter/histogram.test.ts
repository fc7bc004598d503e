import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endAt, placeOf, placeOfEnd, roundEdges, stepEnd } from './filter-ranges.tsx';

const edges = [0, 10, 100, 1000];

test('a value is between its edges, and values beyond them are at the outermost edge', () => {
  expect([-5, 0, 5, 10, 55, 1000, 2000].map((value) => placeOf(edges, value))).toEqual([0, 0, 0.5, 1, 1.5, 3, 3]);
});

test('an open end is at the outermost edge, and an end moved there becomes open', () => {
  expect(placeOfEnd(edges, undefined, 'from')).toBe(0);
  expect(placeOfEnd(edges, { from: 10, to: undefined }, 'to')).toBe(3);
  expect(endAt(edges, { from: 10, to: 100 }, 'from', -2)).toEqual({ from: undefined, to: 100 });
  expect(endAt(edges, { from: 10, to: 100 }, 'to', 2.8)).toEqual({ from: 10, to: undefined });
});

test('a step moves an end to the next edge, wherever it is', () => {
  expect(stepEnd(edges, { from: 55, to: undefined }, 'from', 1)).toEqual({ from: 100, to: undefined });
  expect(stepEnd(edges, { from: 55, to: undefined }, 'from', -1)).toEqual({ from: 10, to: undefined });
  expect(stepEnd(edges, undefined, 'to', -1)).toEqual({ from: undefined, to: 100 });
});

test('an end cannot pass the other one', () => {
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

test('edges are rounded as far as they remain distinct', () => {
  expect(roundEdges([0, 2262.5, 4525])).toEqual([0, 2260, 4530]);
  expect(roundEdges([100_000, 100_001, 100_002])).toEqual([100_000, 100_001, 100_002]);
});
