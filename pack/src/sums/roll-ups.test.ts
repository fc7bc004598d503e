import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, filter, packOf, root } from '../../test/support/filter-trees.ts';
import { sampled } from '../../test/support/sampled.ts';
import { branchColumns } from '../format/pack-format.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { rollUpsOf, rollUpsOfMany } from './roll-ups.ts';

test('rows have the same roll-ups whether they are gathered, or read from whole columns, as a run or not', async () => {
  const seen = { run: 0, other: 0 };
  await fc.assert(
    fc.asyncProperty(
      root,
      entries,
      fc.option(filter),
      fc.nat(),
      fc.nat(),
      async (tree, keywords, asked, one, other) => {
        const { pack } = await packOf(tree, keywords);
        const view = asked ? await filterPack(pack, asked) : pack;
        const { nodes, fields } = pack.metadata;
        const [from, end] = [one % nodes, other % nodes].sort((a, b) => a - b) as [number, number];
        const run = Uint32Array.from({ length: end - from + 1 }, (_, at) => from + at);
        const starts = await pack.column('branch');
        seen[starts[from] === starts[end + 1] ? 'run' : 'other']++;
        for (const rows of [run, run.filter((row) => row % 3 !== 1), run.toReversed()]) {
          if (rows.length === 0) continue;
          const [few, many] = [await rollUpsOf(view, rows), await rollUpsOfMany(view, rows)];
          for (const { name } of branchColumns) expect(await many.column(name), name).toEqual(await few.column(name));
          for (const field of fields) expect(await many.field(field)).toEqual(await few.field(field));
          const counts = await few.column('keywords');
          expect(await many.empty()).toEqual([...counts.keys()].filter((at) => counts[at] === 0));
        }
        // What is shared with the pack is as it was.
        expect(await (await rollUpsOfMany(view, run)).column('volume')).toEqual(
          await (await rollUpsOf(view, run)).column('volume'),
        );
      },
    ),
    { numRuns: sampled(200), seed: 12, endOnFailure: true },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(sampled(30));
});
