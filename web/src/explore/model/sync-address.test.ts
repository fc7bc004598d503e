import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../test/support/tree.ts';
import { createExplorerStore } from './explorer-state.ts';
import type { LocatedNode } from './find-nodes.ts';
import { nothingPicked, type Picked } from './picked.ts';
import { syncAddress } from './sync-address.ts';
import { readUrlState } from './url-state.ts';

/** An explorer at an address whose place is found when the test says so. */
function atAddress(search: string, pick = async (_: readonly string[]) => nothingPicked) {
  let follow: () => void = () => undefined;
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
    addressBar: {
      read: () => written,
      write: (next) => {
        written = next;
      },
      listen: (onChange) => {
        follow = onChange;
        return () => undefined;
      },
    },
    findAddress: () => place,
    findExcluded: async () => undefined,
    findPicked: (addresses) => pick(addresses),
    setFilter: async (filter, _, isFaint = false) => {
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
    /** As Back, Forward and links do. */
    follow: (next: string) => {
      written = next;
      follow();
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

const picked: Picked = { ...nothingPicked, rows: new Map([[7, '0000000000000007']]) };

// Shows P15.19.
test('picked rows are restored from an address, and are in it as long as they are few', async () => {
  const { store, address, written } = atAddress(
    '?view=table&rows=0000000000000007.0000000000000009',
    async () => picked,
  );
  await address.restore();
  expect(store.getState().picked).toBe(picked);
  // What this upload does not have is no longer named.
  expect(written().picked).toEqual(['0000000000000007']);
  const many = new Map(Array.from({ length: 51 }, (_, node) => [node, `${node}`.padStart(16, '0')]));
  store.setState({ picked: { ...picked, rows: many } });
  expect(readUrlState(address.link()).picked).toEqual([]);
  store.setState({ picked: { ...picked, rows: new Map([...many].slice(1)) } });
  expect(readUrlState(address.link()).picked).toHaveLength(50);
  store.setState({ picked: { ...picked, all: { level: 'keywords', within: 0 } } });
  expect(readUrlState(address.link()).picked).toEqual([]);
});

test('an address without rows leaves those that are picked, and so does one whose rows cannot be found', async () => {
  const { store, address, written, go } = atAddress('?view=table', () => Promise.reject(new Error('offline')));
  store.setState({ picked });
  await address.restore();
  expect(store.getState().picked).toBe(picked);
  go('?view=tree&rows=0000000000000009');
  await address.restore();
  expect(store.getState().picked).toBe(picked);
  expect(written().picked).toEqual(['0000000000000009']);
});

test('Back to an address with a few rows does not take away many that are picked, or a whole list', async () => {
  const { store, address } = atAddress('?view=table&rows=0000000000000007', async () => picked);
  const many = {
    ...picked,
    rows: new Map(Array.from({ length: 51 }, (_, node) => [node, `${node}`.padStart(16, '0')])),
  };
  const whole: Picked = { ...nothingPicked, all: { level: 'keywords', within: 0 } };
  for (const picked of [many, whole]) {
    store.setState({ picked });
    await address.restore();
    expect(store.getState().picked).toBe(picked);
  }
});

test('rows picked while those of an address are looked up stay', async () => {
  let finish: (picked: Picked) => void = () => undefined;
  const { store, address } = atAddress('?rows=0000000000000009', () => new Promise((resolve) => (finish = resolve)));
  const restored = address.restore();
  await new Promise((resolve) => setTimeout(resolve));
  store.setState({ picked });
  finish({ ...nothingPicked, rows: new Map([[9, '0000000000000009']]) });
  await restored;
  expect(store.getState().picked).toBe(picked);
});

test('Back before the place of a link is found stays where the user was, and keeps that address', async () => {
  const { store, address, find, written, follow } = atAddress('?view=icicle');
  await address.restore();
  follow(`?view=icicle&${place}`);
  follow('?view=icicle');
  find();
  await new Promise((resolve) => setTimeout(resolve));
  expect(store.getState().focus).toBe(0);
  expect(written().focus).toBeUndefined();
});
