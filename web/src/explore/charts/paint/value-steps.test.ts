import { expect, test } from 'vitest';
import { boundsOf } from './value-steps.ts';

/** The first value belongs to the root, and its sum does not count as a value. */
const valuesOf = (...values: number[]) => Float64Array.from([1e9, ...values]);
const bounds = (values: Float64Array, steps?: 'even' | 'log') => boundsOf(values, values.length, steps);

test('evenly distributed values have even steps, and the root, their sum, does not count', () => {
  const values = valuesOf(...Array.from({ length: 701 }, (_, i) => i / 10));
  expect(bounds(values)).toMatchObject({ steps: 'even', isSkewed: false });
  expect(bounds(values).bounds).toEqual([11, 21, 30, 40, 49, 59]);
});

test('skewed values have logarithmic steps, unless the user chooses even ones', () => {
  const values = valuesOf(...Array.from({ length: 90 }, () => 10), ...Array.from({ length: 10 }, () => 1_000_000));
  expect(bounds(values)).toMatchObject({ steps: 'log', isSkewed: true });
  expect(bounds(values).bounds).toEqual([52, 270, 1400, 7200, 37_000, 190_000]);
  expect(bounds(values, 'even')).toMatchObject({ steps: 'even', isSkewed: true });
});

test('values on both sides of 0 have a middle step around it, and never a log scale', () => {
  const values = valuesOf(-7, -1, 0, 2, 3.5);
  expect(bounds(values, 'log')).toMatchObject({ steps: 'even', isSkewed: false, isDiverging: true });
  expect(bounds(values).bounds).toEqual([-5, -3, -1, 1, 3, 5]);
});

test('a single value is one step, and unknown values are none', () => {
  expect(bounds(valuesOf(3, Number.NaN, 3)).bounds).toEqual([]);
  expect(bounds(valuesOf(Number.NaN)).bounds).toEqual([]);
});
