import { expect, test } from 'vitest';
import { publishBy } from './plan.ts';

test.each([
  // The twelve months to April 2026 begin with May 2025: month 10 is March.
  [10, '2026-04', '2026-11', '2027-01'],
  [10, '2026-04', '2026-01', '2026-01'],
  [10, '2026-04', '2026-02', '2027-01'],
  [11, '2026-04', '2026-02', '2026-02'],
  [0, '2026-01', '2026-12', '2026-12'],
  [11, '2026-01', '2026-11', '2026-11'],
  [11, '2020-06', '2026-05', '2027-04'],
])('month %i of the twelve to %s, seen in %s: publish by %s', (peak, newest, current, month) => {
  expect(publishBy(peak, newest, current)).toBe(month);
});

test('another lead, and none', () => {
  expect(publishBy(10, '2026-04', '2026-11', 6)).toBe('2027-09');
  expect(publishBy(10, '2026-04', '2026-11', 0)).toBe('2027-03');
});
