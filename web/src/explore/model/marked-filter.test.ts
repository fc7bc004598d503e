import { sliceOf } from '@kc/pack/test/support/trees';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createExplorerStore } from './explorer-state.ts';
import { createLoading } from './loading.ts';
import { type Seen, withoutSeen, withSeen } from './seen-filter.ts';
import type { ExplorerSource } from './source.ts';
import { defaultUrlState } from './url-state.ts';

/** The loading of a tree whose server answers every filter with everything, and the filters that it was asked for. */
async function loadingWith(filter = '') {
  const slice = sliceOf('shop (a 5 b 3)');
  const store = createExplorerStore({ ...defaultUrlState, filter }, { isSmall: false, panelsOpen: false });
  const requestedFilters: string[] = [];
  const source = {
    slice: async (query: { filter?: string }) => {
      requestedFilters.push(query.filter ?? '');
      return slice;
    },
  } as unknown as ExplorerSource;
  const loading = createLoading({ store, source, nodes: slice.rows, isDraft: false, explain: String });
  await loading.loader.loadTop();
  return { store, requestedFilters, loading };
}
const settled = async (store: Awaited<ReturnType<typeof loadingWith>>['store']) =>
  expect.poll(() => store.getState().filtering).toBeUndefined();

test('what is shown follows the plan while it is filtered by it, and nothing is asked for otherwise', async () => {
  const { store, requestedFilters, loading } = await loadingWith();
  await loading.setFilter('plan-idea');
  store.setState({ planStamp: '3.0' });
  await settled(store);
  expect(store.getState().filter).toBe('plan-idea*seen-plan=3.0');
  const count = requestedFilters.length;
  store.setState({ warningStamp: 1, vs: 'old' });
  await settled(store);
  expect(requestedFilters).toHaveLength(count);
  await loading.setFilter('');
  store.setState({ planStamp: '4.0' });
  await settled(store);
  expect(requestedFilters.at(-1)).not.toContain('4.0');
});

test('a condition on what is covered follows the plan, and says nothing in a draft', () => {
  const seen = { vs: undefined, thresholds: '', planStamp: '5.0', plannedStamp: '2.0', warningStamp: 0 };
  const text = 'pillar-covered-10_90*pillar-volume-5_';
  expect(withSeen(text, seen)).toBe('pillar-volume-5_*pillar-covered-10_90*seen-plan=5.0');
  expect(withSeen(text, seen, true)).toBe('pillar-volume-5_');
  expect(withoutSeen(withSeen(text, seen))).toBe('pillar-volume-5_*pillar-covered-10_90');
});

test('a filter about changes ends with the comparison', async () => {
  const { store, loading } = await loadingWith();
  store.setState({ vs: 'old' });
  await loading.setFilter('has-a*change-new');
  expect(store.getState().filter).toBe('has-a*change-new*seen-vs=old');
  store.setState({ vs: undefined });
  await settled(store);
  expect(store.getState().filter).toBe('has-a');
});

test('the top of a link is loaded without its changes, whose upload may be gone', async () => {
  const { requestedFilters, loading, store } = await loadingWith('has-a*change-new');
  expect(requestedFilters).toEqual(['has-a']);
  store.setState({ vs: 'old' });
  await loading.setFilter('has-a*change-new');
  expect(requestedFilters.at(-1)).toBe('has-a*change-new*seen-vs=old');
});

test('in whatever order plan, warnings, uploads and filters change, the filter is that of a state from scratch', async () => {
  const change = fc.oneof(
    fc.record({ planStamp: fc.constantFrom('1.0', '2.0', '3.0') }),
    fc.record({ warningStamp: fc.nat(2) }),
    fc.record({ vs: fc.constantFrom(undefined, 'x', 'y'), thresholds: fc.constantFrom('', '1_1_1_1') }),
    fc.constantFrom(
      'plan-idea',
      'cluster-covered-50_',
      'change-new',
      'warn-single',
      'plan-live*warn-single',
      'has-a',
      '',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 10 }), fc.boolean(), async (changes, waits) => {
      const { store, loading } = await loadingWith();
      let expected = '';
      for (const change of changes) {
        if (typeof change === 'string') {
          expected = change;
          void loading.setFilter(change);
        } else store.setState(change);
        // What the comparison took with it does not come back.
        expected = withoutSeen(withSeen(expected, store.getState() as Seen));
        if (waits) await settled(store);
      }
      await settled(store);
      expect(store.getState().filter).toBe(withSeen(expected, store.getState()));
      loading.stop();
    }),
    { numRuns: 100 },
  );
});
