import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sliceOf } from '../../test/support/trees.ts';
import { thumbnailOf } from './thumbnail.ts';

test('pillars and their children have shares by number of keywords, and a keyword is a part by itself', () => {
  const slice = sliceOf('shop (rakes (iron (a b) wooden) spades (c d e f g) hoses (h) twine)');
  expect(thumbnailOf(slice)).toEqual({
    pillars: [[2000, 1000], [1000, 1000, 1000, 1000, 1000], [1000], [1000]],
    rest: 0,
  });
});

test('parts too small for a thumbnail are merged per pillar, and further pillars are merged into one', () => {
  const leaves = Array.from({ length: 10 }, (_, at) => `k${at}`).join(' ');
  const pillars = Array.from({ length: 14 }, (_, at) => `p${at} (${leaves})`).join(' ');
  const { pillars: shown, rest } = thumbnailOf(sliceOf(`shop (${pillars})`));
  expect(shown).toEqual(Array.from({ length: 12 }, () => [71, 71, 71, 71, 71, 71, 286]));
  expect(rest).toBe(1429);
});

test('children that are not in the slice count towards their parents', () => {
  expect(thumbnailOf(sliceOf('shop (rakes (a b +6) +2)'))).toEqual({ pillars: [[1000, 1000, 6000]], rest: 2000 });
});

test('a root alone, or thousands of equal keywords, form a single part', () => {
  expect(thumbnailOf(sliceOf('shop'))).toEqual({ pillars: [], rest: 10_000 });
  const { pillars, rest } = thumbnailOf(sliceOf('shop (a b +99998)'));
  expect([pillars, rest]).toEqual([[], 10_000]);
});

test('the parts add up to the whole for any tree', () => {
  const branch = fc.array(fc.nat({ max: 30 }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(branch, { maxLength: 20 }), (tree) => {
      const text = tree.map((parts, p) => {
        const children = parts.map((more, c) => `n${p}-${c}${more > 0 ? ` (+${more})` : ''}`).join(' ');
        return `p${p}${children === '' ? '' : ` (${children})`}`;
      });
      const { pillars, rest } = thumbnailOf(sliceOf(`r${text.length > 0 ? ` (${text.join(' ')})` : ''}`));
      const shares = [...pillars.flat(), rest];
      expect(shares.every((share) => Number.isInteger(share) && share >= 0)).toBe(true);
      // Each share is rounded.
      expect(Math.abs(shares.reduce((a, b) => a + b, 0) - 10_000)).toBeLessThanOrEqual(shares.length / 2 + 1);
    }),
  );
});
