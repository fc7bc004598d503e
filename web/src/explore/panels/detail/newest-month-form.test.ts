import { expect, test } from 'vitest';
import { monthsOffered, suggestedMonth } from './newest-month-form.tsx';

test.each([
  ['add-to-website_clustered_full_us_2026-04-22.csv', '2026-04', true],
  ['marker.io-organic.Positions-us-20260417.csv', '2026-04', true],
  ['list 2026_1.json', '2026-05', false],
  ['keywords-1202604.json', '2026-05', false],
  ['2026-13.csv', '2026-05', false],
])('%s suggests %s', (name, month, isFromFileName) => {
  expect(suggestedMonth(name, Date.UTC(2026, 4, 31))).toEqual({ month, isFromFileName });
});

test('the last three years are offered, and every month that is known or suggested', () => {
  const recent = monthsOffered(['2026-04'], '2026-05');
  expect([recent.length, recent[0], recent.at(-1)]).toEqual([36, '2026-05', '2023-06']);
  expect(monthsOffered(['2021-03', '2022-01'], '2026-05').slice(35)).toEqual(['2023-06', '2022-01', '2021-03']);
  expect(monthsOffered(['2026-07'], '2026-05')[0]).toBe('2026-07');
});
