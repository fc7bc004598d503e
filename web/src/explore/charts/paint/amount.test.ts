import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import { amountText } from './amount.ts';

const tree = loadTree(sliceOf('shoes (running (trail 1200 road) walking 5)'));
const row = (name: string) => Array.from({ length: tree.size }, (_, at) => at).find((at) => tree.name(at) === name)!;

test('a branch shows its number of keywords, and a single keyword no count', () => {
  expect(amountText(tree, row('shoes'), 'keywords')).toBe('3');
  expect(amountText(tree, row('walking'), 'keywords')).toBe('');
});

test('marks show volumes if sized by volume', () => {
  expect(amountText(tree, row('running'), 'volume')).toBe('1.2K');
  expect(amountText(tree, row('walking'), 'volume')).toBe('5');
});

test('an unknown volume is not written as zero', () => {
  expect(amountText(tree, row('road'), 'volume')).toBe('');
});
