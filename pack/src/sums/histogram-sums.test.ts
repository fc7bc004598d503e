import { expect, test } from 'vitest';
import { packOf } from '../../test/support/filter-trees.ts';
import { noFilter } from '../filter/filter.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { takeHistogram } from './histogram.ts';

test('intents and values of categories have the sum of a figure, each keyword once and unknown ones left out', async () => {
  const keyword = (name: string) => ({ name, type: 'keyword' });
  const hierarchy = {
    name: 'shop',
    type: 'root',
    children: [
      { name: 'tools', type: 'cluster', children: [keyword('spade'), keyword('rake')] },
      { name: 'gifts', type: 'cluster', children: [keyword('spade'), keyword('hose')] },
    ],
  };
  const { pack } = await packOf(hierarchy, [
    { keyword: 'spade', volume: 100, intent: 'transactional', Stage: 'A', Clicks: 2 },
    { keyword: 'rake', volume: 300, intent: 'commercial, transactional', Stage: 'B', Clicks: 3 },
    { keyword: 'hose', intent: 'commercial', Stage: 'A', Clicks: 4 },
  ]);
  const sums = async (of: string, summed: string) => {
    const found = await takeHistogram(await filterPack(pack, noFilter), of, undefined, undefined, summed);
    return found?.kind === 'values' && found.values.filter(({ count }) => count > 0).map((one) => [one.value, one.sum]);
  };
  expect(await sums('intent', 'volume')).toEqual([
    ['commercial', 300],
    ['transactional', 400],
  ]);
  expect(await sums('field:Stage', 'volume')).toEqual([
    ['A', 100],
    ['B', 300],
  ]);
  expect(await sums('intent', 'field:Clicks')).toEqual([
    ['commercial', 7],
    ['transactional', 5],
  ]);
  const found = await takeHistogram(await filterPack(pack, noFilter), 'intent');
  expect(found?.kind === 'values' && found.values.every((one) => one.sum === undefined)).toBe(true);
});
