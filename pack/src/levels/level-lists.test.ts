import { expect, test } from 'vitest';
import { packOf } from '../../test/support/filter-trees.ts';
import { scoreFieldName } from '../score/score-name.ts';
import { levelListsOf } from './level-lists.ts';

const children = [
  { name: 'boots', type: 'keyword', volume: 30 },
  { name: 'spikes', type: 'keyword', volume: 50 },
];
const unwanted = new Error('nobody asks any more');

test('when the request that orders a list goes away, one that waits orders it instead', async () => {
  const { pack } = await packOf({ name: 'shoes', children: [{ name: 'trail', type: 'cluster', children }] }, []);
  // The pack has the heaviest first.
  const lists = levelListsOf(pack);
  const sort = [{ by: `field:${scoreFieldName('sum.volume*2')}`, descending: false }];
  const page = (pause: () => Promise<void>) => lists.page({ level: 'keywords', within: 0, sort }, 0, 10, pause);
  const first = page(() => Promise.reject(unwanted));
  const others = [1, 2].map(() => page(async () => undefined));
  await expect(first).rejects.toBe(unwanted);
  for (const { rows } of await Promise.all(others)) expect([...rows]).toEqual([3, 2]);
});

test('a figure that does not exist is refused, and not unknown', async () => {
  const { pack } = await packOf({ name: 'shoes', children }, []);
  const values = (by: string) => levelListsOf(pack).values({ level: 'keywords', within: 0 }, by);
  expect([...(await values('volume'))]).toEqual([50, 30]);
  for (const by of ['height', scoreFieldName('sum.volume*2'), 'field:height'])
    await expect(values(by)).rejects.toThrow(RangeError);
});

test('the first names of a long list come in their order, however long their beginnings are the same', async () => {
  // Equal up to their 6th, 12th, 18th and 24th byte, in another script, and a few that are equal.
  const stems = [
    '',
    'garden',
    'garden tools',
    'garden tools cheap',
    'garden tools cheap new',
    'Gärten und Rosen',
    'сад',
  ];
  const many = Array.from({ length: 40_000 }, (_, at) => ({
    name: `${stems[at % stems.length]}${(at * 7919) % 35_000}`,
    type: 'keyword',
    volume: at % 50,
  }));
  // Of these, those that are looked at for a guess all come first.
  const misleading = Array.from({ length: 40_000 }, (_, at) => ({
    name: `${at % 4 === 0 ? 'a' : 'b'} ${(at * 7919) % 40_000}`,
    type: 'keyword',
  }));
  const packs = [
    await packOf({ name: 'shop', children: many }, []),
    await packOf({ name: 'shop', children: misleading }, []),
  ];
  const sorts = [
    [{ by: 'name', descending: false }],
    [{ by: 'name', descending: true }],
    [
      { by: 'name', descending: false },
      { by: 'volume', descending: true },
    ],
  ];
  for (const { pack } of packs)
    for (const sort of sorts) {
      const query = { level: 'keywords', within: 0, sort } as const;
      const { rows } = await levelListsOf(pack).page(query, 0, 2_000);
      const all = await levelListsOf(pack).all(query);
      expect([...rows]).toEqual([...all.subarray(0, 2_000)]);
    }
});
