import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Expected, expectedUnder } from '../../test/support/filter-oracle.ts';
import { entries, filter, packOf, root, rowsInFile } from '../../test/support/filter-trees.ts';
import { sampled } from '../../test/support/sampled.ts';
import { noFilter } from '../filter/filter.ts';
import { readFilter, writeFilter } from '../filter/filter-text.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { type BranchMembers, branchMembers, isWithin } from './branch-members.ts';

function expectSame(found: readonly BranchMembers[], { tags }: Expected, hasTags: boolean): void {
  expect(found.length).toBe(Number(hasTags));
  if (!hasTags) return;
  expect(found.map(({ name }) => name)).toEqual(['Tags']);
  const [{ values, known }] = found as [BranchMembers];
  expect(new Map(values.map(({ value, count }) => [value, count]))).toEqual(
    new Map([...tags.counts].filter(([, count]) => count > 0)),
  );
  expect(known).toBe(tags.known);
  const counts = values.map(({ count }) => count);
  expect(counts).toEqual(counts.toSorted((one, other) => other - one));
  expect(values[0]?.value).toBe(tags.most);
}

test('every branch has the same members as in a naive count, with and without a filter', async () => {
  const seen = { filtered: 0, plain: 0 };
  await fc.assert(
    fc.asyncProperty(root, entries, filter, async (hierarchy, keywords, asked) => {
      const { pack } = await packOf(hierarchy, keywords);
      const rows = await rowsInFile(pack);
      const hasTags = pack.metadata.fields.some(({ name }) => name === 'Tags');
      for (const node of expectedUnder(hierarchy, keywords, noFilter, () => '')) {
        expectSame(await branchMembers(pack, rows[node.place]!), node, hasTags);
        if (node.tags.known > 1) seen.plain++;
      }
      const filtered = await filterPack(pack, readFilter(writeFilter(asked))!);
      for (const node of expectedUnder(hierarchy, keywords, asked, () => '')) {
        if (!node.isKept) continue;
        expectSame(await branchMembers(filtered, rows[node.place]!), node, hasTags);
        if (node.tags.known > 1) seen.filtered++;
      }
    }),
    { numRuns: sampled(300), seed: 24 },
  );
  expect(seen.plain).toBeGreaterThan(sampled(800));
  expect(seen.filtered).toBeGreaterThan(sampled(200));
});

test('a keyword that occurs twice in a branch counts once, and once in each branch that contains it', async () => {
  const { pack } = await packOf(
    {
      name: 'r',
      children: [
        { name: 'a', children: [{ name: 'x' }, { name: 'b', children: [{ name: 'x' }, { name: 'y' }] }] },
        { name: 'c', children: [{ name: 'x' }, { name: 'z' }] },
      ],
    },
    [
      { keyword: 'x', Tags: ['p', 'q'] },
      { keyword: 'y', Tags: ['q'] },
    ],
  );
  const start = await rowsInFile(pack);
  const of = async (place: number) => (await branchMembers(pack, start[place]!))[0];
  const both = [
    { value: 'q', count: 2 },
    { value: 'p', count: 1 },
  ];
  expect(await of(0)).toEqual({ name: 'Tags', values: both, known: 2 });
  expect(await of(1)).toEqual({ name: 'Tags', values: both, known: 2 });
  expect(await of(6)).toMatchObject({ values: [{ count: 1 }, { count: 1 }], known: 1 });
  // If no keyword has a value, the members are unknown, which is not zero: there are none.
  expect(await of(8)).toEqual({ name: 'Tags', values: [], known: 0 });
  await expect(branchMembers(pack, 99)).rejects.toThrow(RangeError);
});

test('a row is found in ascending ranges', () => {
  const levels = [
    { start: 2, end: 3 },
    { start: 5, end: 9 },
    { start: 20, end: 21 },
  ];
  expect([1, 2, 3, 4, 5, 8, 9, 19, 20, 21].filter((row) => isWithin(levels, row))).toEqual([2, 5, 8, 20]);
  expect(isWithin([], 0)).toBe(false);
});
