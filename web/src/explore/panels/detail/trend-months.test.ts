import { expect, test } from 'vitest';
import { standingText } from './standing-bar.tsx';
import { monthName, peakOf } from './trend-months.ts';

test('months are named back from the last one, and numbered where the file names none', () => {
  expect([0, 8, 11].map((month) => monthName(month, '2026-04'))).toEqual(['May 2025', 'Jan 2026', 'Apr 2026']);
  expect(monthName(0, undefined)).toBe('month 1');
});

test('the peak is the latest month with the most, and a flat year has none', () => {
  expect(peakOf([1, 9, null, 9, 2, 1, 1, 1, 1, 1, 1, 1])).toBe(3);
  expect(peakOf([null, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4])).toBeUndefined();
});

test('a standing counts the siblings that are below and level', () => {
  expect(standingText({ known: 11, below: 9, equal: 0 })).toBe('above 9 of 11 siblings');
  expect(standingText({ known: 3, below: 0, equal: 2 })).toBe('above none of 3 siblings, level with 2');
  expect(standingText({ known: 1, below: 1, equal: 0 })).toBe('above 1 of 1 sibling');
});
