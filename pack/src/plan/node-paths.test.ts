import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, packOf, root } from '../../test/support/filter-trees.ts';
import { placesAt } from '../format/locate.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { addressOf, type NodePath, pathAddresses, pathOf } from './node-paths.ts';

async function rowsOfPaths(pack: PackReader, paths: readonly NodePath[]): Promise<(number | undefined)[]> {
  const addresses = paths.map(pathAddresses(pack.metadata.rootName));
  const rows = await placesAt(pack, addresses);
  return addresses.map((address) => rows.get(address));
}

test('every node of any tree is found at its path, and names of siblings are told apart by ordinals', async () => {
  await fc.assert(
    fc.asyncProperty(root, entries, async (tree, keywords) => {
      const { pack } = await packOf(tree, keywords);
      const rows = Array.from({ length: pack.metadata.nodes }, (_, row) => row);
      const paths = await Promise.all(rows.map((row) => pathOf(pack, row)));
      expect(await rowsOfPaths(pack, paths)).toEqual(rows);
      expect(new Set(paths.map((path) => JSON.stringify(path))).size).toBe(rows.length);
    }),
    { numRuns: 40 },
  );
});

test('ordinals count the siblings of one name in document order', async () => {
  const { pack } = await packOf(
    { name: 'root', children: [{ name: 'a', volume: 1 }, { name: 'b' }, { name: 'a', volume: 2 }, { name: 'é' }] },
    [],
  );
  const found = await rowsOfPaths(pack, [[['a', 0]], [['a', 1]], [['a', 2]], [['e\u0301', 0]], [['é', 0]], []]);
  const volume = await pack.column('own_volume');
  expect(found.slice(0, 2).map((row) => volume![row!])).toEqual([1, 2]);
  expect(found[2]).toBeUndefined();
  expect(found[3]).toBe(found[4]);
  expect(found[5]).toBe(0);
});

test('the root has no steps, and its name is part of every ID', () => {
  expect(addressOf('shoes', [])).not.toBe(addressOf('Shoes', []));
  expect(addressOf('shoes', [['trail', 0]])).not.toBe(addressOf('Shoes', [['trail', 0]]));
});
