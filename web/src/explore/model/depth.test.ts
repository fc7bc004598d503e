import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../test/support/tree.ts';
import { createExplorerStore, depthOf } from './explorer-state.ts';
import { createNavigation } from './navigation.ts';
import { nothingPicked } from './picked.ts';
import { syncAddress } from './sync-address.ts';
import { readUrlState } from './url-state.ts';

/** An explorer whose address has a history. */
function at(search: string) {
  const tree = loadTree(sliceOf('all (shoes (trail running) boots)'));
  const store = createExplorerStore(readUrlState(search), { isSmall: false, panelsOpen: true });
  const entries = [search];
  let goBack = () => undefined as unknown;
  const address = syncAddress({
    linkId: 'v1',
    isDefault: () => true,
    tree,
    store,
    addressBar: {
      read: () => entries.at(-1)!,
      write: (next, how) => {
        if (how === 'replace') entries.pop();
        entries.push(next);
      },
      listen: (onChange) => {
        goBack = onChange;
        return () => undefined;
      },
    },
    findAddress: async () => ({ row: 0, gone: undefined }),
    findExcluded: async () => undefined,
    findPicked: async () => nothingPicked,
    setFilter: async () => true,
    isComparable: true,
    explain: String,
  });
  const navigation = createNavigation({ tree, store, requestChildren: () => undefined, loadPath: async () => 0 });
  return {
    store,
    address,
    ...navigation,
    depth: () => depthOf(store.getState()),
    inLink: () => new URLSearchParams(address.link()).get('d'),
    async goBack() {
      entries.pop();
      goBack();
      await Promise.resolve();
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    },
  };
}

test('keys step through Auto, 1, 2, 3 and all levels and back; the link contains the depth if it is not the default', () => {
  const { changeDepth, inLink } = at('');
  const links = [1, 1, 1, 1, 1, -1, -1, -1, -1, -1].map((by) => {
    changeDepth(by as 1 | -1);
    return inLink();
  });
  expect(links).toEqual(['1', '2', '3', 'all', 'all', '3', '2', '1', null, null]);
});

test('if branches do not expand automatically, the link says Auto, which survives a change of the setting', () => {
  const { store, setDepth, depth, inLink } = at('');
  store.setState({ autoExpand: false, defaultDepth: '3' });
  expect([depth(), inLink()]).toEqual(['3', null]);
  setDepth('auto');
  expect([depth(), inLink()]).toEqual(['auto', 'auto']);
  store.setState({ autoExpand: true });
  expect(depth()).toBe('auto');
});

test('a depth in a link is restored, also by Back', async () => {
  const { store, address, setDepth, setView, depth, goBack } = at('?d=auto');
  store.setState({ autoExpand: false });
  await address.restore();
  expect(depth()).toBe('auto');
  setView('sunburst');
  setDepth('2');
  expect(depth()).toBe('2');
  await goBack();
  expect([store.getState().view, depth()]).toEqual(['treemap', 'auto']);
});
