import { expect, test } from 'vitest';
import { seasonText } from './trend-chart.tsx';

test('a year says how far its best month stands out, and that it may be too little known', () => {
  const trend = (months: (number | null)[], known: number) => ({ months, known, unit: 'searches' as const });
  const of = (value: number | undefined) => ({
    keywords: 10,
    volume: { known: value === undefined ? 0 : 10, ...(value && { value }) },
  });
  const summer = [1, 1, 1, 1, 1, 9, 1, 1, 1, 1, 1, 1];
  expect(seasonText(trend(summer, 10), of(2))).toBe(
    'Seasonal: the best month has 5.4 times the searches of an average month',
  );
  expect(seasonText(trend([6, ...Array<number>(11).fill(5)], 10), of(5))).toBe(
    'No clear season: the best month has 1.18 times the searches of an average month',
  );
  expect(seasonText(trend(summer, 9), of(100))).toBe('No clear season: the trend is known for less than 20 %');
  expect(seasonText(trend(summer, 1), of(undefined))).toBe('No clear season: the trend is known for less than 20 %');
  expect(seasonText(trend([null, ...summer.slice(1)], 1), of(2))).toBe('');
  expect(seasonText(trend(Array<number>(12).fill(0), 10), of(0))).toBe('');
});
