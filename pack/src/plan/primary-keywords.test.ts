import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, packOf, root } from '../../test/support/filter-trees.ts';
import { plainNodes } from '../../test/support/plan-oracle.ts';
import { noFilter } from '../filter/filter.ts';
import { noRow } from '../format/pack-format.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { primaryKeywordsOf } from './primary-keywords.ts';

const leaf = (name: string, volume?: number, difficulty?: number) => ({
  name,
  ...(volume !== undefined && { volume }),
  ...(difficulty !== undefined && { difficulty }),
});

async function primaryOf(children: object[]): Promise<string> {
  const { pack } = await packOf({ name: 'root', children: [{ name: 'a', children: children as never }] }, []);
  const nodes = await plainNodes(pack);
  const row = (await primaryKeywordsOf(pack))(1);
  return row === noRow ? 'none' : nodes[row]!.key;
}

test('the highest known volume decides, then the lowest known difficulty, then the order of the file', async () => {
  expect(await primaryOf([leaf('x', 5), leaf('y', 9), leaf('z')])).toBe('y');
  expect(await primaryOf([leaf('x', 9), leaf('y', 9, 40), leaf('z', 9, 30)])).toBe('z');
  expect(await primaryOf([leaf('x'), leaf('y', 0)])).toBe('y');
  expect(await primaryOf([leaf('x'), leaf('y', undefined, 20), leaf('z', undefined, 10)])).toBe('z');
  expect(await primaryOf([leaf('x'), leaf('y')])).toBe('x');
  expect(await primaryOf([])).toBe('a');
});

test('in any tree, under any filter, it is the one that sorting all keywords of the node finds', async () => {
  await fc.assert(
    fc.asyncProperty(root, entries, fc.boolean(), async (tree, keywords, isFiltered) => {
      const { pack } = await packOf(tree, keywords);
      const difficulty = await pack.column('own_difficulty');
      const filtered = isFiltered ? await filterPack(pack, { ...noFilter, contains: ['b'] }) : undefined;
      const shown = filtered ?? pack;
      const counts = filtered?.counts ?? (() => true);
      const nodes = await plainNodes(pack);
      const primary = await primaryKeywordsOf(shown);
      for (const node of nodes) {
        const [best] = nodes
          .filter((one) => one.isKeyword && counts(one.row) && (one === node || one.ancestors.includes(node.row)))
          .map((one) => ({
            ...one,
            kd: difficulty && !Number.isNaN(difficulty[one.row]!) ? difficulty[one.row]! : 1e9,
          }))
          .sort(
            (one, other) => (other.volume ?? -1) - (one.volume ?? -1) || one.kd - other.kd || one.start - other.start,
          );
        expect(primary(node.row)).toBe(best?.row ?? noRow);
      }
    }),
    { numRuns: 40 },
  );
});
