import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../test/support/tree.ts';
import type { LocatedNode } from './address-places.ts';
import { createExplorerStore } from './explorer-state.ts';
import { syncAddress } from './sync-address.ts';
import { readUrlState } from './url-state.ts';

/** An explorer at an address whose place is found when the test says so. */
function atAddress(search: string) {
  const tree = loadTree(sliceOf('all (shoes (trail running) boots)'));
  let find: (found: LocatedNode) => void = () => undefined;
  const place = new Promise<LocatedNode>((resolve) => {
    find = resolve;
  });
  let written = search;
  const store = createExplorerStore(readUrlState(search), { isSmall: false, panelsOpen: true });
  const address = syncAddress({
    linkId: 'v1',
    isDefault: () => true,
    tree,
    store,
    bar: {
      read: () => written,
      write: (next) => {
        written = next;
      },
      listen: () => () => undefined,
    },
    findAddress: () => place,
    findAway: async () => undefined,
    setFilter: async (filter, _, isFaint) => {
      store.setState({ filter, isFaint });
      return true;
    },
    isComparable: true,
    explain: String,
  });
  return {
    store,
    address,
    find: () => find({ row: 1, gone: undefined }),
    written: () => readUrlState(written),
    go: (next: string) => {
      written = next;
    },
  };
}

const place = 'n=0000000000000001';

test('the state in an address is restored once its node is resolved', async () => {
  const { store, address, find } = atAddress(`?view=icicle&size=equal&${place}`);
  const restored = address.restore();
  find();
  await restored;
  expect(store.getState()).toMatchObject({ view: 'icicle', size: 'equal', focus: 1 });
});

test('a choice made while the node of an address is resolved is kept and added to the address', async () => {
  const { store, address, find, written } = atAddress(`?view=icicle&size=equal&${place}`);
  const restored = address.restore();
  store.setState({ view: 'bubbles' });
  find();
  await restored;
  expect(store.getState()).toMatchObject({ view: 'bubbles', size: 'equal', focus: 1 });
  expect(written()).toMatchObject({ view: 'bubbles', size: 'equal' });
});

test('a choice made before the places of the first address are looked for is kept and added to the address', async () => {
  const { store, address, find, written, go } = atAddress(`?view=icicle&size=equal&${place}`);
  store.setState({ panel: 'warnings', view: 'bubbles' });
  const restored = address.restore();
  find();
  await restored;
  expect(store.getState()).toMatchObject({ panel: 'warnings', view: 'bubbles', size: 'equal', focus: 1 });
  expect(written()).toMatchObject({ panel: 'warnings', view: 'bubbles', size: 'equal' });
  go('?view=tree');
  await address.restore();
  expect(store.getState()).toMatchObject({ panel: 'details', view: 'tree' });
});

test('a filter chosen before the first address is restored is kept, and so is how the rest is shown', async () => {
  const { store, address, written, go } = atAddress('?f=has-shoes');
  store.setState({ isFaint: true });
  await address.restore();
  expect(store.getState()).toMatchObject({ filter: 'has-shoes', isFaint: true });
  expect(written()).toMatchObject({ filter: 'has-shoes', isFaint: true });
  go('?f=has-boots');
  await address.restore();
  expect(store.getState()).toMatchObject({ filter: 'has-boots', isFaint: false });

  const other = atAddress('?f=has-shoes&rest=faint');
  other.store.setState({ filtering: 'has-boots' });
  await other.address.restore();
  expect(other.store.getState()).toMatchObject({ filter: 'has-boots', isFaint: true });
});

test('a choice made during Back is kept; the rest comes from the earlier address', async () => {
  const { store, address, find, go } = atAddress('?view=icicle&color=depth');
  await address.restore();
  go(`?view=tree&color=type&d=2&${place}`);
  const restored = address.restore();
  store.setState({ colour: 'intent' });
  find();
  await restored;
  expect(store.getState()).toMatchObject({ view: 'tree', colour: 'intent', depth: '2', focus: 1 });
});
