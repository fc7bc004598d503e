import { describe, expect, test } from 'vitest';
import { arraySource } from '../../../pack/test/support/trees.ts';
import { exactNeighbours } from '../../test/support/exact-neighbours.ts';
import { readMap } from '../map/read-map.ts';
import { planUpdate } from './plan-update.ts';
import { type ReadLists, readLists } from './read-lists.ts';

const loadTools = async () => ({ neighbours: exactNeighbours });

async function listOf(texts: readonly string[]): Promise<ReadLists> {
  const rows = ['Keyword,Volume', ...texts.map((text, row) => `${text},${10 * (row + 1)}`)];
  const source = arraySource(new TextEncoder().encode(rows.join('\n')));
  const lists = await readLists([{ name: 'list.csv', source }]);
  if ('refusal' in lists) throw new Error(JSON.stringify(lists.refusal));
  return lists;
}

const map = (clustering: object) =>
  readMap(
    JSON.stringify({
      keywords: ['oak desk', 'ash desk'],
      hierarchy: { name: 'shop', children: [{ name: 'desks', children: ['oak desk', 'ash desk'] }] },
      clustering,
    }),
  );

const wishes = ['price', 'review', 'cheap', 'used', 'large', 'small'];
const strange = ['garden hose', 'hose reel for a garden', 'cat food', 'food bowl for a cat'].flatMap((subject) =>
  wishes.map((wish) => `${subject} ${wish}`),
);

const updated = async (clustering: object) =>
  planUpdate(await listOf(['oak desk', 'ash desk', ...strange]), map(clustering), 'en', loadTools);

/** The new keywords by cluster. */
function newClusters({ state, list }: Awaited<ReturnType<typeof updated>>): string[] {
  return state.topics
    .flatMap(({ isNew }, topic) =>
      isNew
        ? [
            list.texts
              .filter((_, keyword) => state.topicOf[keyword] === topic)
              .sort()
              .join(),
          ]
        : [],
    )
    .sort();
}

describe('what fits into no cluster of a map', () => {
  test.each([
    ['the smallest cluster that a person chose', { preset: 'page', smallestCluster: 9 }],
    ['the stop that a person chose', { preset: 'page', stop: 1 }],
  ] as const)('is divided with %s', async (_, settings) => {
    const planned = await updated({ settings });
    expect(planned.settings).toMatchObject(settings);
    expect(planned.clustering.settings).toMatchObject(settings);
    expect(newClusters(planned)).not.toEqual(newClusters(await updated({ settings: { preset: 'page' } })));
  });

  test.each([
    ['topics', 'topics'],
    ['pages', 'pages'],
    ['nested', 'pages'],
    [undefined, 'pages'],
    [{}, 'pages'],
  ])('is divided into topics if the clusters of the map are: %j', async (ofMap, shape) => {
    const { settings } = await updated({ settings: { preset: 'broad', shape: ofMap } });
    expect(settings).toMatchObject({ preset: 'broad', shape });
  });

  test('is found as topics, which are other clusters than pages', async () => {
    const clusters = async (shape: string) => newClusters(await updated({ settings: { preset: 'broad', shape } }));
    expect(await clusters('topics')).not.toEqual(await clusters('pages'));
  });

  test('is divided at the last stop of the draft that the map came from', async () => {
    const { settings } = await updated({ settings: { preset: 'page', stop: 8 }, stop: 3 });
    expect(settings).toMatchObject({ preset: 'page', stop: 3 });
  });

  test.each([
    [{ preset: 'other', stop: 10, smallestCluster: 0 }],
    [{ preset: 1, stop: 2.5, smallestCluster: 21 }],
    [{ stop: '3', smallestCluster: null }],
    [{ stop: 0, smallestCluster: 1e9 }],
    ['page'],
    [null],
  ])('is divided as by default if the settings of the map are %j', async (settings) => {
    const planned = await updated({ settings, stop: -1 });
    expect(planned.settings).toMatchObject({ preset: 'balanced', stop: 4, smallestCluster: 3 });
  });
});
