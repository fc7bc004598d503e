import { expect, test } from 'vitest';
import { openText, rowText } from './review-words.ts';

test('what is left to review names only what there is', () => {
  expect(openText({ uncertain: 3, new: 1_400, clusters: 1, gone: 0 })).toBe('3 uncertain · 1,400 new · 1 new cluster');
  expect(openText({ uncertain: 0, new: 0, clusters: 2, gone: 20 })).toBe('2 new clusters · 20 gone');
});

test('a row says where it is and what is known about it', () => {
  const row = { name: 'hoses red', type: 'keyword', path: ['Garden', 'Hoses'] };
  expect(rowText(row)).toBe('Garden › Hoses');
  expect(rowText({ ...row, volume: 0, similarity: 0.7, share: 0.615 })).toBe(
    'Garden › Hoses · 0 a month · similarity 0.70 · 62 % of what it resembles is here',
  );
  expect(rowText({ ...row, similarity: 0.66, share: 1 })).toBe('Garden › Hoses · similarity 0.66');
  expect(rowText({ ...row, path: [], keywords: 1_200, volume: 4_000 })).toBe('1,200 keywords · 4,000 a month');
});
