import { expect, test } from 'vitest';
import { drawnRows, rowsInSight } from './row-window.ts';

test('a row that is in sight by a part is in sight', () => {
  expect(rowsInSight(0, 90, 30)).toEqual({ first: 0, last: 2 });
  expect(rowsInSight(29, 62, 30)).toEqual({ first: 0, last: 3 });
  expect(rowsInSight(30, 60, 30)).toEqual({ first: 1, last: 2 });
});

test('pulled beyond its beginning, a list still begins with its first row', () => {
  expect(rowsInSight(-40, 90, 30)).toEqual({ first: 0, last: 1 });
});

test('rows beyond those in sight are drawn, as far as there are any', () => {
  expect(drawnRows({ first: 10, last: 12 }, { count: 100, beyond: 2 })).toEqual([8, 9, 10, 11, 12, 13, 14]);
  expect(drawnRows({ first: 0, last: 2 }, { count: 4, beyond: 2 })).toEqual([0, 1, 2, 3]);
  expect(drawnRows({ first: 0, last: -1 }, { count: 0, beyond: 2 })).toEqual([]);
});

test('before its height is known, a list has its first rows', () => {
  expect(drawnRows({ first: 0, last: -1 }, { count: 100, beyond: 3 })).toEqual([0, 1, 2]);
});

test('one row is drawn wherever it is, in its order', () => {
  const even = { count: 100, beyond: 0 };
  expect(drawnRows({ first: 10, last: 11 }, { ...even, always: 3 })).toEqual([3, 10, 11]);
  expect(drawnRows({ first: 10, last: 11 }, { ...even, always: 99 })).toEqual([10, 11, 99]);
  expect(drawnRows({ first: 10, last: 11 }, { ...even, always: 11 })).toEqual([10, 11]);
  expect(drawnRows({ first: 10, last: 11 }, { ...even, always: 100 })).toEqual([10, 11]);
});

test('a list that grew shorter than what was in sight shows its end', () => {
  expect(drawnRows({ first: 50, last: 60 }, { count: 20, beyond: 2 })).toEqual([17, 18, 19]);
});
