import { expect, test } from 'vitest';
import { exportAddress } from './activity-text.ts';

test.each([
  [{}, '/api/activity.csv'],
  [{ kind: 'status' as const }, '/api/activity.csv?kind=status'],
  [{ kind: 'upload' as const, text: 'a&b' }, '/api/activity.csv?kind=upload&text=a%26b'],
])('%j is exported from %s', (filter, address) => {
  expect(exportAddress(filter)).toBe(address);
});
