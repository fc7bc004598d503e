import { expect, test } from 'vitest';
import { suggestedMonth } from './newest-month-form.tsx';

test.each([
  ['add-to-website_clustered_full_us_2026-04-22.csv', '2026-04', true],
  ['marker.io-organic.Positions-us-20260417.csv', '2026-04', true],
  ['list 2026_1.json', '2026-05', false],
  ['keywords-1202604.json', '2026-05', false],
  ['2026-13.csv', '2026-05', false],
])('%s suggests %s', (name, month, isFromFileName) => {
  expect(suggestedMonth(name, Date.UTC(2026, 4, 31))).toEqual({ month, isFromFileName });
});
