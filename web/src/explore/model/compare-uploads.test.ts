import { sliceOf } from '@kc/pack/test/support/trees';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadTree } from '../../../test/support/tree.ts';
import { createUploadComparison } from './compare-uploads.ts';
import { createExplorerStore } from './explorer-state.ts';
import { nothingPicked } from './picked.ts';
import { syncAddress } from './sync-address.ts';
import { panels, readUrlState } from './url-state.ts';

/** The visualization `v1` at an address with a history. */
function at(search: string, isComparable = true) {
  const tree = loadTree(sliceOf('all (shoes (trail running) boots)'));
  const store = createExplorerStore(readUrlState(search), { isSmall: false, panelsOpen: true });
  const entries = [search];
  let entry = 0;
  let onChange: () => void = () => undefined;
  const addressBar = {
    read: () => entries[entry]!,
    write(next: string, how: 'push' | 'replace') {
      if (how === 'push') entry++;
      entries.splice(entry, entries.length, next);
    },
    listen(callback: () => void) {
      onChange = callback;
      return () => undefined;
    },
  };
  const address = syncAddress({
    linkId: 'v1',
    isDefault: () => true,
    tree,
    store,
    addressBar,
    findAddress: async () => ({ row: 0, gone: undefined }),
    findExcluded: async () => undefined,
    findPicked: async () => nothingPicked,
    setFilter: async (filter) => {
      store.setState({ filter });
      return true;
    },
    isComparable,
    explain: String,
  });
  const uploads = createUploadComparison({ store, addressBar, linkId: 'v1' }, isComparable, address.link);
  return {
    store,
    address,
    uploads,
    read: () => readUrlState(addressBar.read()),
    async go(by: 1 | -1) {
      if (entry + by < 0 || entry + by >= entries.length) return;
      entry += by;
      onChange();
      await address.restore();
    },
  };
}

const compared = ({ store }: ReturnType<typeof at>) => {
  const { vs, thresholds, panel } = store.getState();
  return { vs, thresholds, panel };
};
const none = { vs: undefined, thresholds: '', panel: 'details' };

test('a comparison is a step that Back undoes and Forward repeats', async () => {
  const page = at('');
  await page.address.restore();
  page.uploads.compareWith('v2');
  expect(page.read()).toMatchObject({ vs: 'v2', panel: 'changes' });
  await page.go(-1);
  expect(compared(page)).toEqual(none);
  await page.go(1);
  expect(compared(page)).toEqual({ vs: 'v2', thresholds: '', panel: 'changes' });
});

test('nothing is compared with itself, and a sample with nothing', async () => {
  const itself = at('?vs=v1&panel=changes');
  await itself.address.restore();
  expect(compared(itself)).toEqual(none);
  expect(itself.read()).toMatchObject(none);
  itself.uploads.compareWith('v1');
  expect(compared(itself)).toEqual(none);
  const sample = at('?vs=v2', false);
  await sample.address.restore();
  sample.uploads.compareWith('v2');
  sample.uploads.chooseUpload();
  expect([compared(sample), sample.store.getState().uploadsOpen]).toEqual([none, false]);
});

test('Swap leads to the other upload, compared with this one', async () => {
  const page = at('?vs=v2&panel=changes&f=has-trail');
  await page.address.restore();
  page.uploads.swapUploads();
  expect(page.read()).toMatchObject({ visualization: 'v2', vs: 'v1', panel: 'changes', filter: 'has-trail' });
});

test('whatever is done in whatever order, the state equals the one that its address opens', async () => {
  const step = fc.oneof(
    fc.constantFrom('v2', 'v3').map((id) => (page: ReturnType<typeof at>) => page.uploads.compareWith(id)),
    fc.constant((page: ReturnType<typeof at>) => page.uploads.stopComparingUploads()),
    fc.constantFrom('', '0_0_0_0').map((thresholds) => ({ store }: ReturnType<typeof at>) => {
      if (store.getState().vs !== undefined) store.setState({ thresholds });
    }),
    fc.constantFrom(...panels).map((panel) => ({ store }: ReturnType<typeof at>) => {
      if (store.getState().vs !== undefined || panel !== 'changes') store.setState({ panel });
    }),
    fc.constantFrom('', 'has-a').map(
      (filter) =>
        ({ store }: ReturnType<typeof at>) =>
          store.setState({ filter }),
    ),
    fc.constantFrom(0, 1).map(
      (focus) =>
        ({ store }: ReturnType<typeof at>) =>
          store.setState({ focus }),
    ),
    fc.constantFrom(1 as const, -1 as const).map((by) => (page: ReturnType<typeof at>) => page.go(by)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const page = at('');
      await page.address.restore();
      for (const act of steps) await act(page);
      const again = at(page.address.link());
      await again.address.restore();
      expect(compared(again)).toEqual(compared(page));
      expect(again.store.getState().filter).toBe(page.store.getState().filter);
      page.address.stop();
      again.address.stop();
    }),
  );
});

test('a comparison runs from the older to the newer upload, which is opened', () => {
  const older = at('?v=v1&q=trail');
  older.uploads.compareWith('v2', true);
  expect(older.read()).toMatchObject({
    visualization: 'v2',
    vs: 'v1',
    panel: 'changes',
    colour: 'change',
    query: 'trail',
  });
  expect(older.store.getState().vs).toBeUndefined();
  const newer = at('?v=v1');
  newer.uploads.compareWith('v0', false);
  expect(newer.store.getState().vs).toBe('v0');
});
