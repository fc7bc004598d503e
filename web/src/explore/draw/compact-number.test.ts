import { expect, test } from 'vitest';
import { compactCount, exactCount } from './compact-number.ts';

test('labels are compact, tails exact', () => {
  expect([0, 999, 1204, 18_618, 165_830, 12_586_000].map(compactCount)).toEqual([
    '0',
    '999',
    '1.2K',
    '18.6K',
    '165.8K',
    '12.6M',
  ]);
  expect(exactCount(1204)).toBe('1,204');
});
