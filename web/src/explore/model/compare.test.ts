import { sliceOf } from '@kc/pack/test/support/trees';
import type { NodeDetail } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { loadTree, partOf } from '../../../test/support/tree.ts';
import { comparePicked, compareRange, toggleCompared } from './compare.ts';
import { nameOf } from './compared-nodes.ts';
import { createExplorerStore } from './explorer-state.ts';
import { createNavigation } from './navigation.ts';
import { nothingPicked } from './picked.ts';
import { defaultUrlState } from './url-state.ts';

function comparing() {
  const tree = loadTree(sliceOf('shop (a b c d e)'));
  const store = createExplorerStore(defaultUrlState, { isSmall: false, panelsOpen: true });
  const { select, climb } = createNavigation({
    tree,
    store,
    requestChildren: () => undefined,
    loadPath: async () => 0,
  });
  const explorer = { tree, store, select };
  const rowOf = (name: string) => Array.from({ length: tree.size }, (_, row) => tree.name(row)).indexOf(name);
  return {
    store,
    select: (name: string) => select(rowOf(name)),
    toggle: (name: string) => toggleCompared(explorer, rowOf(name)),
    range: (names: string) => compareRange(explorer, [...names].map(rowOf), rowOf(names.at(-1)!)),
    climb,
    compared: () =>
      store
        .getState()
        .compared.map((one) => nameOf(tree, one))
        .join(''),
    selected: () => tree.name(store.getState().selected),
  };
}

test('the first row added is compared with the previous selection, and is selected', () => {
  const { select, toggle, compared, selected, store } = comparing();
  select('b');
  toggle('d');
  expect([compared(), selected()]).toEqual(['bd', 'd']);
  toggle('a');
  expect([compared(), selected()]).toEqual(['bda', 'a']);
  expect(store.getState().spoken).toBe('a, node, level 2, 1 of 5, 1 keyword. Compared: 3 of at most 4');
  select('c');
  expect(compared()).toBe('bda');
});

test('toggling a compared row removes it', () => {
  const { select, toggle, compared, store } = comparing();
  select('b');
  toggle('b');
  expect(compared()).toBe('b');
  toggle('d');
  toggle('b');
  expect(compared()).toBe('d');
  expect(store.getState().spoken).toBe('b taken out. Compared: 1');
});

test('a fifth row is refused with a message', () => {
  const { select, toggle, compared, selected, store } = comparing();
  select('a');
  for (const name of 'bcd') toggle(name);
  toggle('e');
  expect([compared(), selected(), store.getState().notice]).toEqual(['abcd', 'd', 'At most 4 can be compared']);
});

test('only the first four rows of a range are compared', () => {
  const { range, compared, selected, store } = comparing();
  range('bcd');
  expect([compared(), selected(), store.getState().notice]).toEqual(['bcd', 'd', undefined]);
  range('edcba');
  expect([compared(), selected(), store.getState().notice]).toEqual(['edcb', 'a', 'At most 4 can be compared']);
});

test('at the root Escape clears the selection first, then the comparison, the search and the details', () => {
  const { select, toggle, climb, compared, store } = comparing();
  select('a');
  toggle('b');
  climb();
  expect([compared(), store.getState().selected]).toEqual(['ab', -1]);
  store.setState({ query: 'a' });
  climb();
  expect([compared(), store.getState().query]).toEqual(['', 'a']);
  climb();
  expect([store.getState().query, store.getState().detailOpen]).toEqual(['', true]);
  climb();
  expect(store.getState().detailOpen).toBe(false);
});

/** Compares nodes 2 and 4 of which the second one is not loaded; the load of the latter ends when told. */
function comparingPicked() {
  const whole = sliceOf('shop (a b c d e)');
  const tree = loadTree(partOf(whole, [0, 1, 2, 3]));
  const store = createExplorerStore(defaultUrlState, { isSmall: false, panelsOpen: true });
  let respond: (fail: Error | undefined) => void = () => undefined;
  const picked = { ...nothingPicked, rows: new Map([2, 4].map((node) => [node, `address ${node}`])) };
  store.setState({ picked });
  const done = comparePicked({
    tree,
    store,
    explain: String,
    source: {
      node: () =>
        new Promise((resolve, reject) => {
          const detail = { path: [{ node: 0 }, { node: 4 }] } as unknown as NodeDetail;
          respond = (fail) => (fail ? reject(fail) : resolve(detail));
        }),
    },
    async loadPath(path) {
      tree.merge(whole);
      return tree.rowOf(path.at(-1)!);
    },
  });
  const end = (fail?: Error) => {
    respond(fail);
    return done;
  };
  const now = () => {
    const { compared, picked: pickedAfter, notice } = store.getState();
    return { compared: compared.map((one) => nameOf(tree, one)), isPicked: pickedAfter === picked, notice };
  };
  return { tree, store, end, now };
}

test('picked rows are compared once those that are not loaded are', async () => {
  const { end, now } = comparingPicked();
  await end();
  expect(now()).toEqual({ compared: ['b', 'd'], isPicked: false, notice: undefined });
});

test('a failure is said, and keeps what is picked', async () => {
  const { end, now } = comparingPicked();
  await end(new Error('offline'));
  expect(now()).toEqual({ compared: [], isPicked: true, notice: 'Error: offline' });
});

test('of what is picked while rows load, nothing is lost, and nothing else is compared', async () => {
  for (const fail of [undefined, new Error('offline')]) {
    const { store, end, now } = comparingPicked();
    const other = { ...nothingPicked, rows: new Map([[5, 'address 5']]) };
    store.setState({ picked: other });
    await end(fail);
    expect(now()).toMatchObject({ compared: [], notice: undefined });
    expect(store.getState().picked).toBe(other);
  }
});

test('rows of another filter are not compared by their old numbers', async () => {
  const { tree, end, now } = comparingPicked();
  tree.become(loadTree(sliceOf('shop (e c)')));
  await end();
  expect(now()).toMatchObject({ compared: [], isPicked: true });
});
