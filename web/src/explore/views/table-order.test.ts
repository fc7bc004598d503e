import { sliceOf } from '@kc/pack/testing';
import { expect, test } from 'vitest';
import { HeldTree } from '../store/held-tree.ts';
import { childOrder, nextSort, type TableSort } from './table-order.ts';

const tree = new HeldTree();
tree.merge(sliceOf('shop (shoes 30 hats 40 belts)'));
const ordered = (sort: TableSort) =>
  Array.from(childOrder(tree, sort)?.(tree.children(0)) ?? tree.children(0), (row) => tree.name(row));

test('an unknown volume stands last, whichever way the rest is sorted', () => {
  expect(ordered({ by: 'volume', descending: true })).toEqual(['hats', 'shoes', 'belts']);
  expect(ordered({ by: 'volume', descending: false })).toEqual(['shoes', 'hats', 'belts']);
});

test('names sort as people read them', () => {
  expect(ordered({ by: 'name', descending: false })).toEqual(['belts', 'hats', 'shoes']);
});

test('a head goes through both ways and back to the order of the file', () => {
  const once = nextSort(undefined, 'volume', false);
  const twice = nextSort(once, 'volume', false);
  expect([once, twice, nextSort(twice, 'volume', false)]).toEqual([
    { by: 'volume', descending: true },
    { by: 'volume', descending: false },
    undefined,
  ]);
  expect(nextSort(once, 'name', true)).toEqual({ by: 'name', descending: false });
});
