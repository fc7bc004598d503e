import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packOf, root, entries as someEntries } from '../../test/support/filter-trees.ts';
import { plainNodes } from '../../test/support/plan-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import { noFilter } from '../filter/filter.ts';
import { noRow } from '../format/pack-format.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { entryPlaces, keywordsOfEntries } from './handover.ts';

const leaves = (text: string) =>
  text.split(', ').map((one) => {
    const [name, volume] = one.split(' ');
    return { name: name!, ...(volume !== undefined && { volume: Number(volume) }) };
  });
const shop = {
  name: 'root',
  children: [
    {
      name: 'p',
      type: 'pillar',
      children: [
        { name: 'c', type: 'cluster', children: leaves('a 1, b 9, same 3') },
        { name: 'd', type: 'cluster', children: leaves('e, same 3') },
      ],
    },
    ...leaves('same 3, outside 8'),
  ],
};

async function shared(names: string[]): Promise<Record<string, string[]>> {
  const { pack } = await packOf(shop, []);
  const nodes = await plainNodes(pack);
  const rows = Uint32Array.from(names, (name) => nodes.find(({ key }) => key === name)!.row);
  const keywords = await keywordsOfEntries(pack, rows);
  return Object.fromEntries(names.map((name, at) => [name, Array.from(keywords.of(at), (row) => nodes[row]!.key)]));
}

test('a keyword is given to its nearest entry, once, the heaviest first and unknown volumes last', async () => {
  expect(await shared(['p', 'c'])).toEqual({ p: ['e'], c: ['b', 'same', 'a'] });
  expect(await shared(['p', 'c', 'd'])).toEqual({ p: [], c: ['b', 'same', 'a'], d: ['e'] });
  // The keyword at the root is an entry itself, and nothing is nearer.
  expect(await shared(['c', 'same'])).toEqual({ c: ['b', 'a'], same: ['same'] });
});

test('entries stand in the order of the hierarchy, heavier siblings first, with the cluster that each is or is in', async () => {
  const { pack } = await packOf(shop, []);
  const nodes = await plainNodes(pack);
  const named = (row: number) => (row === noRow ? '' : nodes[row]!.key);
  const places = await entryPlaces(
    pack,
    Uint32Array.from({ length: nodes.length - 1 }, (_, at) => at + 1),
  );
  expect(places.map(({ row, pillar, cluster }) => [named(row), named(pillar), named(cluster)])).toEqual([
    ['p', 'p', ''],
    ['c', 'p', 'c'],
    ['b', 'p', 'c'],
    ['same', 'p', 'c'],
    ['a', 'p', 'c'],
    ['d', 'p', 'd'],
    ['same', 'p', 'd'],
    ['e', 'p', 'd'],
    ['outside', 'outside', 'root'],
    ['same', 'same', 'root'],
  ]);
});

// Shows P24.9.
test('in any tree, under any filter, each distinct keyword below an entry has the one that the definition names', async () => {
  await fc.assert(
    fc.asyncProperty(
      root,
      someEntries,
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      async (tree, of, isFiltered, nth) => {
        const { pack } = await packOf(tree, of);
        const filtered = isFiltered ? await filterPack(pack, { ...noFilter, contains: ['b'] }) : undefined;
        const shown = filtered ?? pack;
        const counts = filtered?.counts ?? (() => true);
        const nodes = await plainNodes(pack);
        const rows = nodes.filter(({ row }) => row > 0 && row % nth === 0).map(({ row }) => row);
        const keywords = await keywordsOfEntries(shown, Uint32Array.from(rows));
        const expected = new Map<string, { row: number; entry: number; distance: number }>();
        for (const node of nodes.toSorted((one, other) => one.start - other.start)) {
          if (!node.isKeyword || !counts(node.row)) continue;
          const way = [...node.ancestors, node.row].reverse();
          const distance = way.findIndex((row) => rows.includes(row));
          if (distance < 0) continue;
          const known = expected.get(node.key);
          if (!known || distance < known.distance)
            expected.set(node.key, { row: node.row, entry: way[distance]!, distance });
        }
        const found = rows.flatMap((entry, at) => Array.from(keywords.of(at), (row) => [nodes[row]!.key, row, entry]));
        expect(found.sort()).toEqual([...expected].map(([key, { row, entry }]) => [key, row, entry]).sort());
        expect(keywords.total).toBe(expected.size);
      },
    ),
    { numRuns: sampled(60) },
  );
});
