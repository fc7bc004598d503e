import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree, withRest } from '../../../test/support/tree.ts';
import { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { SizeBy } from './encodings.ts';
import { createExplorerStore } from './explorer-state.ts';
import { childrenInView, createNavigation } from './navigation.ts';
import { listedChildren, outlineFigure, outlineSort } from './row-order.ts';
import { defaultUrlState } from './url-state.ts';

/** By volume: hats, shoes, socks, gloves. By keywords: shoes (3), socks (2), hats, gloves. */
const shop = 'shop (hats (cap 90) shoes (boot 40 clog 20 sandal 10) socks (long 8 short) gloves (mitten))';
const branches = ['hats', 'shoes', 'socks', 'gloves'];

function exploring(size: SizeBy = 'volume', text = shop) {
  const tree = loadTree(sliceOf(text));
  const store = createExplorerStore({ ...defaultUrlState, size }, { isSmall: false, panelsOpen: true });
  const navigation = createNavigation({ tree, store, requestChildren: () => undefined, loadPath: async () => 0 });
  const names = (rows: Int32Array) => Array.from(rows, (row) => tree.name(row));
  return {
    tree,
    store,
    ...navigation,
    inView: (row = 0) => names(childrenInView(tree, row, store.getState())),
    inOutline: () => names(listedChildren(tree, outlineSort(tree, store.getState().size), new Map())(0)),
    at: () => tree.name(store.getState().selected),
  };
}

test('arrow keys and announced positions follow the layout order of siblings', () => {
  const { step, at, store, inView } = exploring();
  expect(inView()).toEqual(branches);
  step('child');
  expect(at()).toBe('hats');
  step('next');
  expect(at()).toBe('shoes');

  store.setState({ size: 'keywords' });
  expect(inView()).toEqual(['shoes', 'socks', 'hats', 'gloves']);
  step('next');
  expect(at()).toBe('socks');
  expect(store.getState().spoken).toContain('2 of 4');
  step('last');
  expect(at()).toBe('gloves');
  step('next');
  expect(at()).toBe('gloves');
  step('first');
  expect(at()).toBe('shoes');
  step('previous');
  expect(at()).toBe('shoes');
});

test('in the Tree siblings are in loading order', () => {
  const { store, inView } = exploring('keywords');
  store.setState({ view: 'tree' });
  expect(inView()).toEqual(branches);
});

test('in Opportunity they go from left to right, those without a position last', () => {
  const { store, inView } = exploring('keywords');
  store.setState({ view: 'opportunity', x: 'volume' });
  expect(inView()).toEqual(['socks', 'shoes', 'hats', 'gloves']);
});

test('the outline is sorted by the figure it shows: the size metric, or the default if size is no figure', () => {
  const { tree, store, inOutline } = exploring('volume');
  expect([outlineFigure(tree, 'volume'), inOutline()]).toEqual(['volume', branches]);
  store.setState({ size: 'keywords' });
  expect([outlineFigure(tree, 'keywords'), inOutline()]).toEqual(['keywords', ['shoes', 'socks', 'hats', 'gloves']]);
  expect(outlineFigure(tree, 'equal')).toBe('volume');
  expect(outlineFigure(tree, 'difficulty')).toBe('volume');
  expect(outlineFigure(tree, 'field:Traffic')).toBe('volume');
});

test('with excluded rows loaded as well, the outline goes by the filtered figures that it shows, excluded rows last', () => {
  const whole = sliceOf('shop (hats (cap 90 beret 1) shoes (boot 40 clog 20) socks (long 8))');
  const all = loadTree(whole);
  const counts = { shop: 41, hats: 1, beret: 1, shoes: 40, boot: 40 };
  const names = Array.from(whole.node.keys(), (row) => all.name(row));
  const rest = withRest(
    whole,
    [...names.keys()].filter((row) => names[row]! in counts),
  );
  const volume = Float64Array.from(names, (name) => counts[name as keyof typeof counts] ?? Number.NaN);
  const tree = new LoadedTree();
  tree.merge({ ...rest, volume }, whole);
  const listed = listedChildren(tree, outlineSort(tree, 'volume'), new Map())(0);
  expect(Array.from(listed, (row) => [tree.name(row), tree.volume[row]])).toEqual([
    ['shoes', 40],
    ['hats', 1],
    ['socks', Number.NaN],
  ]);
});

test('without any volume the outline is sorted by keywords, the order in which siblings load', () => {
  const { tree } = exploring('volume', 'shop (shoes (a b c) hats (d))');
  expect(outlineFigure(tree, 'volume')).toBe('keywords');
  expect(outlineSort(tree, 'volume')).toBeUndefined();
});

test('names that show nothing are sorted as the server sorts them, not by the text in their place', () => {
  const { names, nameStart, ...rest } = sliceOf('shop (xxx apple -minus)');
  // A zero-width space comes before everything, and a bracket, as in the text, after a hyphen.
  names.set([0xe2, 0x80, 0x8b], nameStart[1]);
  const tree = loadTree({ ...rest, names, nameStart });
  const listed = listedChildren(tree, { by: 'name', descending: false }, new Map())(0);
  expect(Array.from(listed, (row) => tree.name(row))).toEqual(['(blank)', '-minus', 'apple']);
});
