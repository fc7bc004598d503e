import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree, partOf } from '../../../test/support/tree.ts';
import { createExplorerStore, type ExplorerState } from './explorer-state.ts';
import { maxAutoExpanded, openLevels } from './navigation.ts';
import { defaultUrlState } from './url-state.ts';

/** Rows: 0 shop, 1 shoes, 2 hats, 3 running, 4 walking, 5 sun, 6 trail, 7 road. */
const shop = 'shop (shoes (running (trail road) walking) hats (sun))';

function opening(text: string, first: Partial<ExplorerState> = {}) {
  const tree = loadTree(sliceOf(text));
  const store = createExplorerStore(defaultUrlState, { isSmall: false, panelsOpen: true });
  store.setState(first);
  openLevels(tree, store);
  store.setState({ ready: true });
  const names = () => [...store.getState().expanded].map((row) => tree.name(row)).sort();
  const close = (name: string) => {
    const { expanded } = store.getState();
    store.setState({ expanded: new Set([...expanded].filter((row) => tree.name(row) !== name)) });
  };
  const rowOf = (name: string) =>
    Array.from({ length: tree.size }, (_, row) => row).find((r) => tree.name(r) === name)!;
  return { tree, store, names, close, rowOf };
}

test('the outline expands as many levels as set, and the address takes precedence over the setting', () => {
  expect(opening(shop, { defaultDepth: '1' }).names()).toEqual(['shop']);
  expect(opening(shop, { defaultDepth: '2' }).names()).toEqual(['hats', 'shoes', 'shop']);
  expect(opening(shop, { defaultDepth: 'all' }).names()).toEqual(['hats', 'running', 'shoes', 'shop']);
  expect(opening(shop, { defaultDepth: 'all', depth: '1' }).names()).toEqual(['shop']);
});

test('if branches do not expand automatically, only the first level does', () => {
  expect(opening(shop, { defaultDepth: 'all', autoExpand: false }).names()).toEqual(['shop']);
});

test('settings that load late expand the rest, and branches the user collapsed stay collapsed', () => {
  const { store, names, close } = opening(shop, { defaultDepth: '2' });
  close('hats');
  store.setState({ defaultDepth: 'all' });
  expect(names()).toEqual(['running', 'shoes', 'shop']);
});

test('diving expands the levels below, including collapsed ones; going back expands nothing', () => {
  const { store, names, close, rowOf } = opening(shop, { defaultDepth: '2' });
  close('shoes');
  store.setState({ focus: rowOf('shoes') });
  expect(names()).toEqual(['hats', 'running', 'shoes', 'shop']);
  close('running');
  close('hats');
  store.setState({ focus: 0 });
  expect(names()).toEqual(['shoes', 'shop']);
});

test('levels expand as their children load', () => {
  const whole = sliceOf(shop);
  const tree = loadTree(partOf(whole, [0, 1, 2]));
  const store = createExplorerStore(defaultUrlState, { isSmall: false, panelsOpen: true });
  openLevels(tree, store);
  store.setState({ ready: true });
  expect(store.getState().expanded).toEqual(new Set([0]));
  tree.merge(whole);
  store.setState({ treeVersion: tree.version });
  expect([...store.getState().expanded].map((row) => tree.name(row)).sort()).toEqual(['hats', 'shoes', 'shop']);
});

test('for all levels of a large tree, expansion stops at a readable number of rows, upper levels first', () => {
  const branch = (name: string) => `${name} (${Array.from({ length: 300 }, (_, i) => `${name}${i}`).join(' ')})`;
  const { tree, store, names } = opening(`shop (${['a', 'b', 'c', 'd', 'e'].map(branch).join(' ')})`, {
    defaultDepth: 'all',
  });
  expect(names()).toEqual(['a', 'b', 'c', 'shop']);
  const lines = [...store.getState().expanded].reduce((sum, row) => sum + tree.children(row).length, 0);
  expect(lines).toBeLessThanOrEqual(maxAutoExpanded);
});
