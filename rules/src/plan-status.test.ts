import { expect, test } from 'vitest';
import { coveredShare, statusRank } from './plan.ts';

/** Keywords and volume of none, idea, planned, written and live. */
const branch = (volumeKnown: number, ...figures: (readonly [keywords: number, volume: number])[]) => ({
  keywords: figures.reduce((sum, [keywords]) => sum + keywords, 0),
  volumeKnown,
  ofStatus: figures.map(([keywords, volume]) => ({ keywords, volume })),
});

test('covered is the volume of what is written or live, of all known volume', () => {
  expect(coveredShare(branch(10, [4, 100], [2, 50], [1, 0], [2, 30], [1, 20]))).toEqual({ share: 0.25, of: 'volume' });
});

test('where the volume of fewer than half of the keywords is known, keywords count', () => {
  expect(coveredShare(branch(4, [5, 90], [0, 0], [0, 0], [3, 10], [2, 0]))).toEqual({ share: 0.5, of: 'keywords' });
  expect(coveredShare(branch(10, [10, 0], [0, 0], [0, 0], [0, 0], [0, 0]))).toEqual({ share: 0, of: 'keywords' });
});

test('a branch without keywords has no covered share', () => {
  expect(coveredShare(branch(0, [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]))).toBeUndefined();
});

test('the statuses are in the order in which a page comes about', () => {
  expect([undefined, 'idea', 'planned', 'written', 'live'].map((one) => statusRank(one as never))).toEqual([
    0, 1, 2, 3, 4,
  ]);
});
