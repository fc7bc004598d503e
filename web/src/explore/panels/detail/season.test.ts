import { expect, test } from 'vitest';
import { publishBy, seasonText } from './season.ts';

test('a year says how far its best month stands out, and that it may be too little known', () => {
  const trend = (months: (number | null)[], known: number) => ({ months, known, unit: 'searches' as const });
  const of = (value: number | undefined) => ({
    keywords: 10,
    volume: { known: value === undefined ? 0 : 10, ...(value && { value }) },
  });
  const summer = [1, 1, 1, 1, 1, 9, 1, 1, 1, 1, 1, 1];
  expect(seasonText(trend(summer, 10), of(2))).toBe('Seasonal: the best month has 5.4 times an average month');
  expect(seasonText(trend([6, ...Array<number>(11).fill(5)], 10), of(5))).toBe(
    'No clear season: the best month has 1.18 times an average month',
  );
  expect(seasonText(trend(summer, 10), of(100))).toBe('No clear season: the trend is hardly known');
  expect(seasonText(trend(summer, 1), of(undefined))).toBe('No clear season: the trend is hardly known');
  expect(seasonText(trend([null, ...summer.slice(1)], 1), of(2))).toBe('');
  expect(seasonText(trend(Array<number>(12).fill(0), 10), of(0))).toBe('');
});

test.each([
  // The twelve months to April 2026 begin with May 2025: month 10 is March.
  [10, '2026-04', '2026-11-26', '2027-01'],
  [10, '2026-04', '2026-01-31', '2026-01'],
  [10, '2026-04', '2026-02-01', '2027-01'],
  [11, '2026-04', '2026-02-28', '2026-02'],
  [0, '2026-01', '2026-12-01', '2026-12'],
  [11, '2026-01', '2026-11-30', '2026-11'],
])('month %i of the twelve to %s, seen on %s: publish by %s', (peak, newest, today, month) => {
  expect(publishBy(peak, newest, new Date(`${today}T12:00:00`))).toBe(month);
});
