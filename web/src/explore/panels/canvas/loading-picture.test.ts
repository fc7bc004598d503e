import { expect, test } from 'vitest';
import { loadingText } from './loading-picture.tsx';

test('the announced stage matches the current one', () => {
  expect([undefined, { read: 0, total: 3_400_000 }, { read: 3_400_000, total: 3_400_000 }].map(loadingText)).toEqual([
    'Requesting the data…',
    'Downloading 3.4 MB…',
    'Laying out…',
  ]);
  expect(loadingText({ read: 120_000, total: undefined })).toBe('Downloading… 120 KB');
});
