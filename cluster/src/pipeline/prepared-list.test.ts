import { expect, test } from 'vitest';
import { exactNeighbours } from '../../test/support/exact-neighbours.ts';
import { madeEncoder, madeKeywords } from '../../test/support/made-keywords.ts';
import { cluster, divide, listSettingsOf, prepareList } from './cluster.ts';
import { partOf } from './prepared-list.ts';

const tools = { encoder: madeEncoder, neighbours: exactNeighbours };
const made = madeKeywords();

test('a list that was prepared once is divided at every stop as if it were clustered anew', async () => {
  const prepared = structuredClone(await prepareList(made, listSettingsOf(), tools));
  for (const stop of [1, 4, 9, 4]) {
    const settings = listSettingsOf({ stop });
    expect(divide(made, prepared, settings)).toEqual(await cluster(made, settings, tools));
  }
});

test('the part of all keywords is the list itself', async () => {
  const prepared = await prepareList(made, listSettingsOf(), tools);
  const all = partOf(made, prepared, Int32Array.from(made.texts.keys()));
  expect(all.list).toEqual({ texts: made.texts, volume: made.volume });
  expect(all.prepared).toEqual(prepared);
});

test('a part is divided without its rest, and named after its own keywords', async () => {
  const prepared = await prepareList(made, listSettingsOf(), tools);
  const keywords = Int32Array.from(made.texts.keys()).filter((keyword) => made.kind[keyword]! < 2);
  const part = partOf(made, prepared, keywords);
  const tree = divide(part.list, part.prepared, listSettingsOf());
  expect(tree.topicOf).toHaveLength(keywords.length);
  const texts = part.list.texts.join('\n');
  for (const { name, kind } of tree.topics)
    if (kind !== 'stray') for (const phrase of name.split(', ')) expect(texts).toContain(phrase);
});

test('a part of results has the clusters of its own keywords', async () => {
  const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
  const urls = [1, 1, 1, 2, 2, 2].map((site) => [1, 2, 3].map((page) => `https://${site}.example/${page}`));
  const list = { texts, urls, volume: new Float64Array(6) };
  const settings = listSettingsOf({ results: { sharing: 'soft', least: 3, perKeyword: 10 } });
  const prepared = await prepareList(list, settings, tools);
  const part = partOf(list, prepared, Int32Array.of(0, 3, 4));
  expect([...part.prepared.shared!.clusters.of]).toEqual([0, 1, 1]);
  expect([...part.prepared.shared!.graph.offset]).toEqual([0, 0, 1, 2]);
});
