import { expect, test } from 'vitest';
import { standingText } from './key-numbers.tsx';
import { monthName, peakOf } from './trend-chart.tsx';

test('months are named backwards from the last one, and numbered if the file has no dates', () => {
  expect([0, 8, 11].map((month) => monthName(month, '2026-04'))).toEqual(['May 2025', 'Jan 2026', 'Apr 2026']);
  expect([0, 8, 11].map((month) => monthName(month, undefined))).toEqual([
    'month 1 of 12',
    'month 9 of 12',
    'month 12 of 12',
  ]);
});

// Shows P15.12.
test('the peak is the latest month with the maximum, and a flat year has none', () => {
  expect(peakOf([1, 9, null, 9, 2, 1, 1, 1, 1, 1, 1, 1])).toBe(3);
  expect(peakOf([null, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4])).toBeUndefined();
});

test('a rank counts the siblings with lower and with equal values', () => {
  expect(standingText({ known: 11, below: 9, equal: 0 })).toBe('above 9 of 11 siblings');
  expect(standingText({ known: 3, below: 0, equal: 2 })).toBe('level with 2 of 3 siblings, below the others');
  expect(standingText({ known: 3, below: 0, equal: 0 })).toBe('below all 3 siblings');
  expect(standingText({ known: 1, below: 1, equal: 0 })).toBe('above the one sibling that has a value');
});

test('a low position is better', () => {
  const position = (below: number, equal: number, known = 3) => standingText({ known, below, equal, isLowBest: true });
  expect(position(0, 0)).toBe('better than all 3 siblings');
  expect(position(1, 0)).toBe('better than 2 of 3 siblings');
  expect(position(1, 1)).toBe('better than 1 of 3 siblings, level with 1');
  expect(position(3, 0)).toBe('behind all 3 siblings');
  expect(position(1, 0, 1)).toBe('behind the one sibling that has a value');
});
