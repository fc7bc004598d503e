import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import { largestOf } from './detail.tsx';

function largest(outline: string, count = 8) {
  const tree = loadTree(sliceOf(outline));
  const { by, rows } = largestOf(tree, 0, count);
  return { by, names: rows.map((row) => tree.name(row)) };
}

test('branches are sorted by keywords, whatever their volume', () => {
  const outline = 'shop (loud (a 900) wide (b 1 c 1 d 1) mid (e 5 f 5))';
  expect(largest(outline)).toEqual({ by: 'keywords', names: ['wide', 'mid', 'loud'] });
  expect(largest(outline, 2).names).toEqual(['wide', 'mid']);
});

test('keywords are sorted by volume, the unknown ones last', () => {
  expect(largest('shop (a b 10 c 30)')).toEqual({ by: 'volume', names: ['c', 'b', 'a'] });
});

test('without any volume the figure is the keyword count', () => {
  expect(largest('shop (a b)')).toEqual({ by: 'keywords', names: ['a', 'b'] });
});

test('if only the first children are loaded, the figure is the one that the pack sorts by', () => {
  expect(largest('shop 100 (loud (a 60) wide (b 10 c 10) +4)')).toEqual({ by: 'volume', names: ['loud', 'wide'] });
});
