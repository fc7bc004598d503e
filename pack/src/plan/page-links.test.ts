import { expect, test } from 'vitest';
import { arraySink, arraySource } from '../../test/support/trees.ts';
import { noPause } from '../format/in-pieces.ts';
import { namesAt } from '../format/names-at.ts';
import { createIngest } from '../ingest.ts';
import { checkPack } from '../write/pack-check.ts';
import { writePack } from '../write/pack-writer.ts';
import { pageLinks, suggestLinks } from './page-links.ts';

const linked = (links: readonly (readonly number[])[]): number[] =>
  links.map((_, page) => links.filter((own) => own.includes(page)).length);

test('a page links to the three most similar pages, those of its pillar first', () => {
  // Pages 0 to 2 are of pillar 1, 3 and 4 of pillar 2.
  const pages = [
    { pillar: 1, near: [3, 1, 4, 2] },
    { pillar: 1, near: [0, 2] },
    { pillar: 1, near: [1] },
    { pillar: 2, near: [4, 0] },
    { pillar: 2, near: [3] },
  ];
  expect(suggestLinks(pages)).toEqual([[1, 2, 3], [0, 2], [1], [4, 0], [3]]);
});

// Shows P24.16.
test('a page to which nothing links gets a link from the most similar page, within its pillar first', () => {
  const pages = [
    { pillar: 1, near: [1, 2, 3, 4, 5] },
    { pillar: 1, near: [0] },
    { pillar: 1, near: [0] },
    { pillar: 1, near: [0] },
    // Nothing links to 4 and 5: 0 has three links already. 4 resembles 1 of its pillar more, 5 is of another pillar.
    { pillar: 1, near: [1] },
    { pillar: 2, near: [0] },
  ];
  expect(suggestLinks(pages)).toEqual([[1, 2, 3, 5], [0, 4], [0], [0], [1], [0]]);
});

// Shows P24.16.
test('no page is without a link to it, also where nothing is similar', () => {
  const alone = { near: [] };
  const pages = [
    { pillar: 1, ...alone },
    { pillar: 1, ...alone },
    { pillar: 1, ...alone },
    { pillar: 2, ...alone },
  ];
  // The pages of pillar 1 take turns; page 3 has none beside it, so all pages do.
  expect(suggestLinks(pages)).toEqual([[2, 3], [0], [1], []]);
  expect(linked(suggestLinks(pages))).toEqual([1, 1, 1, 1]);
  expect(suggestLinks([{ pillar: 1, near: [] }])).toEqual([[]]);
});

const cluster = (name: string, ...children: string[]) => ({ name, type: 'cluster', children });
const file = {
  hierarchy: {
    name: 'shop',
    children: [
      {
        name: 'shoes',
        type: 'pillar_topic',
        children: [cluster('trail', 'trail a', 'trail b'), cluster('road', 'road a')],
      },
      { name: 'tents', type: 'pillar_topic', children: [cluster('dome', 'dome a'), cluster('tarp', 'tarp a')] },
    ],
  },
};
// In document order: 1 shoes, 2 trail, 3 trail a, 4 trail b, 5 road, 6 road a, 7 tents, 8 dome, 9 dome a, 10 tarp, 11 tarp a.
const lists: Record<number, number[]> = { 2: [8, 5], 5: [2], 8: [10], 10: [8, 2], 3: [9, 6], 6: [3], 9: [11, 3] };

async function packOf(similar?: typeof lists) {
  const similar_nodes =
    similar && Array.from({ length: 12 }, (_, node) => [similar[node]?.length ?? 0, ...(similar[node] ?? [])]);
  const ingest = createIngest({ hashKey: [1, 2] });
  ingest.push(
    new TextEncoder().encode(
      JSON.stringify({ ...file, ...(similar_nodes && { similar_nodes: similar_nodes.flat() }) }),
    ),
  );
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '5e'.repeat(32), sink);
  return checkPack(arraySource(sink.bytes()));
}

/** The links between pages by their names. */
async function linksAmong(similar: typeof lists | undefined, ...pages: string[]) {
  const pack = await packOf(similar);
  const names = await namesAt(
    pack,
    Uint32Array.from({ length: 12 }, (_, row) => row),
  );
  const links = await pageLinks(
    pack,
    Uint32Array.from(pages, (name) => names.indexOf(name)),
    noPause,
  );
  return links && Object.fromEntries(Array.from(links, ([row, to]) => [names[row], to.map((one) => names[one])]));
}

test('clusters link to similar clusters', async () => {
  expect(await linksAmong(lists, 'trail', 'road', 'dome', 'tarp')).toEqual({
    trail: ['road', 'dome'],
    road: ['trail'],
    dome: ['tarp'],
    tarp: ['dome', 'trail'],
  });
});

test('a page may be a pillar or a keyword: what is similar belongs to the nearest page around it, or to one inside', async () => {
  // "shoes" is as similar as its clusters: to dome, which lies in no page but has one inside.
  expect(await linksAmong(lists, 'shoes', 'dome a')).toEqual({ shoes: ['dome a'], 'dome a': ['shoes'] });
  // "trail b" has no similar keywords, so those of its cluster count.
  expect(await linksAmong(lists, 'trail b', 'road')).toEqual({ 'trail b': ['road'], road: ['trail b'] });
});

test('nothing is suggested where the file does not say what is similar', async () => {
  expect(await linksAmong(undefined, 'trail', 'road')).toBe(undefined);
});
