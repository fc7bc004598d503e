import { expect, test } from 'vitest';
import { lastUpdatedText } from './last-updated.tsx';

test('it says how long ago newer data were looked for', () => {
  expect([-5, 59_999, 12 * 60_000, 3 * 3_600_000].map(lastUpdatedText)).toEqual([
    'Updated just now',
    'Updated just now',
    'Updated 12 min ago',
    'Updated 3 h ago',
  ]);
});
