import type { SliceQuery } from '@kc/pack/slice/slice';
import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree, partOf } from '../../../test/support/tree.ts';
import { createExplorerStore } from './explorer-state.ts';
import { createRankings } from './rank-children.ts';
import { countsBy, listedChildren, type TableSort } from './row-order.ts';
import { readUrlState } from './url-state.ts';

const count = 2500;
/** Heaviest first; the longest names are the lightest. */
const all = Array.from({ length: count }, (_, k) => `k${k} ${count - k}`).join(' ');
const whole = sliceOf(`shop (${all} last)`);
const byVolume: TableSort = { by: 'volume', descending: false };

/** The explorer's part, with a server that ranks by volume in ascending order and fails a given number of times. */
function ranking(failures = 0) {
  const tree = loadTree(partOf(whole, [0, 1, 2]));
  const store = createExplorerStore(readUrlState(''), { isSmall: false, panelsOpen: true });
  const queries: SliceQuery[] = [];
  let remainingFailures = failures;
  const rankings = createRankings({
    tree,
    store,
    runExclusively: (work) => work(),
    loader: {
      loadRanked: async (query) => {
        queries.push(query);
        await Promise.resolve();
        if (remainingFailures-- > 0) return false;
        const end = query.ranked?.after ?? count + 1;
        // The child of unknown volume comes last, before children that are not loaded.
        const rows = Array.from({ length: query.budget - 1 }, (_, k) => end - 1 - k).filter((row) => row > 0);
        tree.merge(partOf(whole, [0, ...rows.reverse()]));
        return true;
      },
    },
  });
  const listed = () => {
    const { tableSort, ranked } = store.getState();
    return Array.from(listedChildren(tree, tableSort, ranked)(0), (row) => tree.name(row));
  };
  return { rankings, store, queries, listed };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

test('loaded rows keep their order until the first ranked ones arrive, then pages follow', async () => {
  const { rankings, queries, listed } = ranking();
  rankings.sortTable(byVolume);
  expect(listed()).toEqual(['k0', 'k1']);
  rankings.requestRanked([0]);
  await settled();
  expect(listed()).toHaveLength(1000);
  expect(listed().slice(0, 2)).toEqual(['k2499', 'k2498']);
  rankings.requestRanked([0]);
  await settled();
  expect(listed()).toHaveLength(2000);
  expect(listed().at(-1)).toBe('k500');
  expect(queries.map(({ ranked }) => ranked?.after)).toEqual([undefined, 1501]);
});

test('an interrupted request is repeated, and abandoned after three attempts', async () => {
  const cutOff = ranking(2);
  cutOff.rankings.sortTable(byVolume);
  cutOff.rankings.requestRanked([0]);
  await settled();
  expect(cutOff.listed()).toHaveLength(1000);
  const failing = ranking(9);
  failing.rankings.sortTable(byVolume);
  failing.rankings.requestRanked([0]);
  await settled();
  expect(failing.queries).toHaveLength(3);
  expect(failing.listed()).toEqual(['k0', 'k1']);
});

test('another order, or other rows, start over', async () => {
  const { rankings, store, listed } = ranking();
  rankings.sortTable(byVolume);
  rankings.requestRanked([0]);
  await settled();
  rankings.sortTable({ by: 'name', descending: false });
  expect(store.getState().ranked.size).toBe(0);
  rankings.sortTable(byVolume);
  rankings.requestRanked([0]);
  rankings.forgetRanked();
  await settled();
  expect(store.getState().ranked.size).toBe(0);
  expect(listed()).toHaveLength(1002);
});

test('the outline is ranked by the size metric independently of the table, and again when the metric changes', async () => {
  const tree = loadTree(partOf(whole, [0, 1, 2]));
  const store = createExplorerStore(readUrlState('?size=keywords'), { isSmall: false, panelsOpen: true });
  const queries: SliceQuery[] = [];
  let running = 0;
  const rankings = createRankings({
    tree,
    store,
    runExclusively: (work) => work(),
    loader: {
      loadRanked: async (query) => {
        expect(++running).toBe(1);
        queries.push(query);
        await Promise.resolve();
        tree.merge(partOf(whole, [0, ...Array.from({ length: query.budget - 1 }, (_, k) => k + 1)]));
        running--;
        return true;
      },
    },
  });
  rankings.sortTable(byVolume);
  rankings.requestRanked([0]);
  rankings.requestOutlineRanked([0]);
  await settled();
  expect(queries.map(({ ranked }) => [ranked?.by, ranked?.descending])).toEqual([
    ['volume', false],
    ['keywords', true],
  ]);
  const counts = (by: 'keywords' | 'cpc') => countsBy(store.getState().outlineRanked, by);
  expect(counts('keywords').get(0)).toBe(1000);
  expect(counts('cpc').size).toBe(0);
  rankings.forgetRanked();
  expect(counts('keywords').size).toBe(0);
});
