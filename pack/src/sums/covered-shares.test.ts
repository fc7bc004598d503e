import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectedUnder } from '../../test/support/filter-oracle.ts';
import { entries, filter, packOf, root, rowsInFile } from '../../test/support/filter-trees.ts';
import { sampled } from '../../test/support/sampled.ts';
import { filterComparison } from '../compare/filter-comparison.ts';
import { matchPacks } from '../compare/match-packs.ts';
import { type BranchPart, branchLevels, noFilter } from '../filter/filter.ts';
import { readFilter, writeFilter } from '../filter/filter-text.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { coveredMarks, markPlanned } from '../plan/plan-fields.ts';
import { rollUpStatus } from '../plan/status-roll-up.ts';
import type { FilteredPack } from './filtered-pack.ts';

const end = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });
const parts = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom(...branchLevels), end, end)
    .filter(([, from, to]) => (from ?? to) !== undefined && (from ?? 0) <= (to ?? 100))
    .map(([level, from, to]): BranchPart => ({ level, of: 'covered', from, to })),
  { minLength: 1, maxLength: 2, selector: ({ level }) => level },
);
/** Statuses of nodes, by their index in file order. */
const statuses = fc.array(fc.record({ at: fc.nat({ max: 30 }), rank: fc.integer({ min: 1, max: 4 }) }), {
  maxLength: 8,
});

// Shows P15.24.
test('a filter by what the plan covers keeps what a naive count of the covered keywords keeps', async () => {
  const seen = { kept: 0, gone: 0 };
  await fc.assert(
    fc.asyncProperty(root, entries, filter, parts, statuses, async (tree, keywords, some, covered, given) => {
      const { pack } = await packOf(tree, keywords);
      const rows = await rowsInFile(pack);
      const placed = new Map(given.map(({ at, rank }) => [rows[at % rows.length]!, rank]));
      const rolled = await rollUpStatus(
        pack,
        [...placed].map(([row, rank]) => ({ row, rank })),
      );
      const isCovered = markPlanned(rolled, coveredMarks);
      const parent = await pack.column('parent');
      const hasPage = (row: number): boolean =>
        placed.has(row) ? placed.get(row)! >= 3 : row > 0 && hasPage(parent[row]!);
      const asked = { ...some, branches: [...some.branches, ...covered] };
      const kept = await filterPack(pack, readFilter(writeFilter(asked))!, { covered: isCovered });
      const expected = expectedUnder(
        tree,
        keywords,
        asked,
        () => '',
        (place) => hasPage(rows[place]!),
      );
      for (const { place, isKept, keywords: count } of expected) {
        expect([place, kept.keeps(rows[place]!)]).toEqual([place, isKept]);
        seen[isKept ? 'kept' : 'gone']++;
        const { starts } = kept.kept.branches;
        const row = rows[place]!;
        if (isKept && starts[row] !== starts[row + 1]) expect(kept.kept.keywords[starts[row]!]).toBe(count);
      }
    }),
    { numRuns: sampled(400), seed: 7, endOnFailure: true },
  );
  expect(Math.min(seen.kept, seen.gone)).toBeGreaterThan(sampled(1000));
});

test('what is gone is in no plan, so no condition on what is covered keeps it', async () => {
  const tree = (...names: string[]) => ({
    name: 'root',
    children: [{ name: 'a', type: 'cluster', children: names.map((name) => ({ name, volume: 1 })) }],
  });
  const [{ pack: before }, { pack: after }] = [await packOf(tree('x', 'y'), []), await packOf(tree('x'), [])];
  const covered = new Uint8Array(after.metadata.nodes).fill(1);
  const branches: BranchPart[] = [{ level: 'cluster', of: 'covered', from: 50, to: undefined }];
  const kept = await filterPack(after, { ...noFilter, branches }, { covered });
  const compared = await filterComparison(await matchPacks(after, before, [3, 4]), kept, before);
  expect(kept.kept.keywords[0]).toBe(1);
  expect((compared.before as FilteredPack).kept.keywords[0]).toBe(1);
});

test('a condition on what is covered is refused without a plan', async () => {
  const { pack } = await packOf({ name: 'root', children: [{ name: 'a' }] }, []);
  const branches: BranchPart[] = [{ level: 'pillar', of: 'covered', from: 1, to: undefined }];
  await expect(filterPack(pack, { ...noFilter, branches })).rejects.toThrow('What is covered is not given');
});
