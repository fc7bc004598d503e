import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { withFields, withRest } from '../../../test/support/tree.ts';
import { LoadedTree } from '../tree-data/loaded-tree.ts';
import { childOrder, nextSort, type TableSort } from './row-order.ts';

const tree = new LoadedTree();
const features = { values: ['', 'Video', 'Ads'], lists: [[1], [2], [], [1, 2]] };
tree.merge(withFields(sliceOf('shop (shoes 30 hats 40 belts)'), { Features: features }));
const ordered = (sort: TableSort) =>
  Array.from(childOrder(tree, sort)?.(tree.children(0)) ?? tree.children(0), (row) => tree.name(row));

// Shows P15.9.
test('an unknown volume is last in both sort directions', () => {
  expect(ordered({ by: 'volume', descending: true })).toEqual(['hats', 'shoes', 'belts']);
  expect(ordered({ by: 'volume', descending: false })).toEqual(['shoes', 'hats', 'belts']);
});

test('excluded nodes are last when sorted by count, because they have none', () => {
  const whole = sliceOf('shop (shoes 30 hats 40 belts)');
  const faint = new LoadedTree();
  faint.merge(withRest(whole, [0, 1]), whole);
  for (const descending of [true, false]) {
    const rows = childOrder(faint, { by: 'keywords', descending })!(faint.children(0));
    expect(faint.name(rows[0]!)).toBe('shoes');
  }
});

test('names sort in natural order', () => {
  expect(ordered({ by: 'name', descending: false })).toEqual(['belts', 'hats', 'shoes']);
});

test('sets sort by their first member, and empty ones are last', () => {
  expect(ordered({ by: 'field:Features', descending: false })).toEqual(['shoes', 'belts', 'hats']);
  expect(ordered({ by: 'field:Features', descending: true })).toEqual(['belts', 'shoes', 'hats']);
});

test('a column header cycles through both directions and back to the order of the file', () => {
  const once = nextSort(undefined, 'volume', false);
  const twice = nextSort(once, 'volume', false);
  expect([once, twice, nextSort(twice, 'volume', false)]).toEqual([
    { by: 'volume', descending: true },
    { by: 'volume', descending: false },
    undefined,
  ]);
  expect(nextSort(once, 'name', true)).toEqual({ by: 'name', descending: false });
});
