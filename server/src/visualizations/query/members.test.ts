import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ShownFile, showFile } from '../../../test/support/shown-file.ts';

const keywords = [
  { keyword: 'trail shoes', serp_features: ['Video', 'Ads'] },
  { keyword: 'road shoes', serp_features: ['Ads'] },
];
const hierarchy = {
  name: 'shop',
  children: [{ name: 'shoes', children: [{ name: 'trail shoes' }, { name: 'road shoes' }] }, { name: 'sandals' }],
};

let shown: ShownFile;

beforeAll(async () => {
  shown = await showFile({ keywords, hierarchy });
});
afterAll(() => shown.stop());

const get = (path: string): Promise<Response> => shown.get(`nodes/${path}`);
const of = async (path: string): Promise<unknown> => (await get(path)).json();
const features = (known: number, ...counts: readonly [string, number][]) => [
  { name: 'serp_features', values: counts.map(([value, count]) => ({ value, count })), known },
];

test('a branch has the number of keywords with each member of a set, and the number for which it is known', async () => {
  expect(await of('0/members')).toEqual(features(2, ['Ads', 2], ['Video', 1]));
  // The filter on the field itself applies as well: the counts of other members are those of kept keywords.
  expect(await of('0/members?filter=is-serp_features-Video')).toEqual(features(1, ['Video', 1], ['Ads', 1]));
  expect(await of('0/members?filter=has-sandals')).toEqual(features(0));
});

test('a missing node has no members, and an invalid filter is refused', async () => {
  expect((await get('999/members')).status).toBe(404);
  const answer = await get('0/members?filter=volume-2_1');
  expect([answer.status, await answer.json()]).toEqual([
    422,
    expect.objectContaining({ data: { code: 'visualization/filter-invalid' } }),
  ]);
});
