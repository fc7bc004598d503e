import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { partOf, withFields } from '../../../test/support/tree.ts';
import { LoadedSlices, sliceKey } from './loaded-slices.ts';
import { LoadedTree } from './loaded-tree.ts';

/** Rows: 0 shop, 1 shoes, 2 hats, 3 running, 4 walking, 5 caps. */
const whole = sliceOf('shop (shoes (running 30 walking 5) hats (caps 4))');
const top = { node: 0, skip: 0, budget: 4000 };
const shoes = { node: 1, skip: 0, budget: 4000 };

const slicesOf = (filter = '', isFaint = false) => new LoadedSlices(filter, isFaint, new LoadedTree());

test('queries name the fields and the filter; faint rows are also loaded without the filter', () => {
  const fields = ['traffic'];
  expect(slicesOf().queriesFor(top, [])).toEqual({ filtered: top });
  expect(slicesOf('', true).queriesFor(top, fields)).toEqual({ filtered: { ...top, fields } });
  expect(slicesOf('has-a').queriesFor(top, [])).toEqual({ filtered: { ...top, filter: 'has-a' } });
  expect(slicesOf('has-a', true).queriesFor(top, fields)).toEqual({
    filtered: { ...top, fields, filter: 'has-a', rest: true },
    whole: { ...top, fields },
  });
});

test('a query is answered once its response adds no row, unless it is a refetch', () => {
  const slices = slicesOf();
  slices.merge(top, [], [partOf(whole, [0, 1, 2]), undefined], false);
  slices.merge(shoes, [], [partOf(whole, [1]), undefined], true);
  expect([slices.addsNothing(top), slices.addsNothing(shoes)]).toEqual([false, false]);
  slices.merge(shoes, [], [partOf(whole, [1]), undefined], false);
  expect([slices.addsNothing(top), slices.addsNothing(shoes)]).toEqual([false, true]);
});

test('the oldest query without a missing field is refetched first, until its rows have the field', () => {
  const traffic = withFields(whole, { traffic: [9, 5, 4, 3, 2, 4] });
  const slices = slicesOf();
  slices.merge(top, [], [partOf(whole, [0, 1, 2]), undefined], false);
  slices.merge(shoes, [], [partOf(whole, [1, 3, 4]), undefined], false);
  expect(slices.nextRefetch([])).toBeUndefined();
  expect(slices.nextRefetch(['traffic'])).toEqual(top);
  slices.merge(top, ['traffic'], [partOf(traffic, [0, 1, 2]), undefined], true);
  expect(slices.nextRefetch(['traffic'])).toEqual(shoes);
  slices.merge(shoes, ['traffic'], [partOf(traffic, [1, 3, 4]), undefined], true);
  expect(slices.nextRefetch(['traffic'])).toBeUndefined();
});

test('more children are requested from the first gap on', () => {
  const wide = sliceOf(`r (${Array.from({ length: 6 }, (_, at) => `k${at} ${90 - at}`).join(' ')})`);
  const slices = slicesOf();
  slices.merge(top, [], [partOf(wide, [0, 1, 2]), undefined], false);
  slices.merge({ ...top, child: 5 }, [], [partOf(wide, [0, 5, 6]), undefined], false);
  expect(slices.childrenQuery({ node: 0, skip: 4 })).toEqual({ node: 0, skip: 2, budget: 4000 });
  expect(slices.nextPrefetch()).toEqual({ node: 0, skip: 2, budget: 20_000 });
});

test('slices that move into a tree replace its rows, and later responses are merged into it', () => {
  const tree = new LoadedTree();
  tree.merge(partOf(whole, [0, 1, 2]));
  const slices = slicesOf('has-a');
  slices.merge(top, [], [partOf(whole, [0, 2]), undefined], false);
  slices.moveInto(tree);
  expect(Array.from(tree.node.subarray(0, tree.size))).toEqual([0, 2]);
  slices.merge({ ...top, node: 2 }, [], [partOf(whole, [2, 5]), undefined], false);
  expect(Array.from(tree.node.subarray(0, tree.size))).toEqual([0, 2, 5]);
});

test('a key distinguishes the parts of a branch and its orders, and nothing else', () => {
  const ranked = { by: 'volume', descending: true } as const;
  const keys = [top, { ...top, skip: 4 }, { ...top, child: 4 }, { ...top, ranked }].map(sliceKey);
  expect(new Set(keys).size).toBe(4);
  const sameRows = { ...top, budget: 1, filter: 'has-a', fields: ['traffic'] };
  expect(sliceKey(sameRows)).toBe(sliceKey(top));
});
