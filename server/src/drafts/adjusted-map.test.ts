import { DraftAddresses } from '@kc/cluster/draft/addresses';
import { readMap } from '@kc/cluster/map/read-map';
import { expect, test } from 'vitest';
import { exactNeighbours } from '../../../cluster/test/support/exact-neighbours.ts';
import { madeDraft } from '../../test/support/made-draft.ts';
import { createMemoryStorage } from '../../test/support/memory-storage.ts';
import { newKey } from '../storage/storage.ts';
import { writeBlocks } from '../storage/whole-objects.ts';
import { adjustMap } from './adjusted-map.ts';

const keywords = (await madeDraft()).context.list.texts;

/** How the only branch of a map with these settings is divided: the settings, and the part of each keyword. */
async function divided(clustering: object) {
  const text = JSON.stringify({
    keywords,
    hierarchy: { name: 'shop', children: [{ name: 'all', type: 'pillar_topic', children: keywords }] },
    clustering,
  });
  const storage = createMemoryStorage();
  const key = newKey('file');
  const fileBytes = await writeBlocks(storage, key, [new TextEncoder().encode(text)]);
  const read = readMap(text);
  const branch = new DraftAddresses(read.state, read.texts, read.name).ofTopic(0);
  const made = await adjustMap(storage, { key, fileBytes, checksum: null, fieldMap: null, branch }, async () => ({
    neighbours: exactNeighbours,
  }));
  if ('refusal' in made) throw new Error(made.refusal.code);
  const { settings, division } = made.draft.context;
  return { settings, parts: division!.tree.topicOf.join() };
}

test('a branch is divided with the settings of its map', async () => {
  const fine = { preset: 'page', stop: 9, smallestCluster: 2 };
  const page = await divided({ settings: fine });
  expect(page.settings).toMatchObject(fine);
  expect(page.parts).not.toBe((await divided({})).parts);
  expect((await divided({ settings: fine, stop: 3 })).settings).toMatchObject({ preset: 'page', stop: 3 });
});

test('a branch of a map that has no settings, or others than there are, is divided as by default', async () => {
  const standard = await divided({});
  expect(standard.settings).toMatchObject({ preset: 'balanced', stop: 4, smallestCluster: 3 });
  for (const settings of [{ preset: 'other', stop: 10 }, null, 'page'])
    expect(await divided({ settings })).toEqual(standard);
});
