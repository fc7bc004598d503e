import { expect, test } from 'vitest';
import { shareText } from './share-text.ts';

test('a share is 0 or 100 % only if it is nothing or all', () => {
  expect([0, 0.0004, 0.036, 0.5, 0.9994, 0.99999, 1].map((share) => shareText(share))).toEqual([
    '0 %',
    'under 0.1 %',
    '3.6 %',
    '50.0 %',
    'over 99.9 %',
    'over 99.9 %',
    '100 %',
  ]);
  expect(
    [0, 1 / 27_640, 0.006, 0.01, 0.961, 0.99, 0.9951, 27_639 / 27_640, 1].map((share) => shareText(share, 0)),
  ).toEqual(['0 %', 'under 1 %', 'under 1 %', '1 %', '96 %', '99 %', 'over 99 %', 'over 99 %', '100 %']);
});

test('a growth may be more than the whole', () => {
  expect(shareText(2.504)).toBe('250 %');
});
