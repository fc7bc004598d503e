import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../test/support/tree.ts';
import { parentShare } from './figure-text.ts';

const tree = loadTree(sliceOf('shop (hats (cap 90) shoes (boot 10 clog))'));
const [hats, shoes] = [1, 2];

test('a share refers to the metric that sizes encode', () => {
  expect(parentShare(tree, hats, 'volume')).toBe('90.0 % of the volume of ');
  expect(parentShare(tree, shoes, 'keywords')).toBe('66.7 % of the keywords of ');
});

test('no share is written if there is none', () => {
  expect(parentShare(tree, 0, 'volume')).toBe('');
  expect(parentShare(tree, hats, 'equal')).toBe('in ');
  expect(parentShare(tree, hats, 'difficulty')).toBe('in ');
  expect(parentShare(tree, hats, 'field:Traffic')).toBe('in ');
  const clog = Array.from({ length: tree.size }, (_, row) => tree.name(row)).indexOf('clog');
  expect(parentShare(tree, clog, 'volume')).toBe('in ');
});
