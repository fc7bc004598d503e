import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectedUnder } from '../../test/support/filter-oracle.ts';
import { filter, packOf, root } from '../../test/support/filter-trees.ts';
import { lineOf, plainNodes, rowsOfLevel } from '../../test/support/levels-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import { type BranchPart, branchLevels } from '../filter/filter.ts';
import { writeFilter } from '../filter/filter-text.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { takeHistogram, withoutPart } from './histogram.ts';

const anyPart = fc.constantFrom<BranchPart>(
  { level: 'subtopic', of: 'keywords', from: 2, to: undefined },
  { level: 'cluster', of: 'keywords', from: 2, to: undefined },
  { level: 'cluster', of: 'volume', from: undefined, to: 20 },
  { level: 'pillar', of: 'keywords', from: 3, to: undefined },
  { level: 'pillar', of: 'volume', from: 5, to: undefined },
);

test('a histogram of branches has the figures by which a filter judges them', async () => {
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(root, filter, fc.array(anyPart, { maxLength: 3 }), async (hierarchy, some, given) => {
      const parts = [...new Map(given.map((part) => [`${part.level} ${part.of}`, part])).values()];
      const asked = { ...some, branches: parts };
      const { pack } = await packOf(hierarchy, []);
      for (const level of branchLevels) {
        const of = `${level}-keywords`;
        const before = withoutPart(asked, of);
        expect(writeFilter(before)).toBe(
          writeFilter({
            ...asked,
            branches: parts.filter((part) => branchLevels.indexOf(part.level) < branchLevels.indexOf(level)),
          }),
        );
        const kept = await filterPack(pack, before);
        const nodes = await plainNodes(kept);
        const expected = expectedUnder(hierarchy, [], before, () => '');
        const byPlace = new Map(
          nodes.toSorted((one, other) => one.place - other.place).map((node, at) => [node.row, expected[at]!]),
        );
        const isHome = (row: number) =>
          nodes.some((one) => {
            const above = lineOf(one).slice(1);
            return one.counts && above.length > 0 && lineOf(one).at(-2)!.row === row;
          });
        const homes = rowsOfLevel(nodes, `${level}s`, 0)
          .filter((row) => level !== 'pillar' || isHome(row))
          .map((row) => byPlace.get(row)!);
        const others = parts.filter((part) => part.level === level && part.of !== 'keywords');
        const passing = homes.filter((home) =>
          others.every(({ of: figure, from = 0, to = Number.POSITIVE_INFINITY }) => {
            expect(figure).toBe('volume');
            return home.volume.sum !== undefined && home.volume.sum >= from && home.volume.sum <= to;
          }),
        );
        const found = await takeHistogram(kept, of, undefined, { parts });
        expect(found).toMatchObject({ kind: 'number', unknown: 0 });
        if (found?.kind !== 'number') continue;
        const counts = passing.map(({ keywords }) => keywords);
        expect([found.known, found.least, found.most]).toEqual([
          counts.length,
          counts.length > 0 ? Math.min(...counts) : undefined,
          counts.length > 0 ? Math.max(...counts) : undefined,
        ]);
        counted += counts.length;
      }
    }),
    { numRuns: sampled(120), seed: 4, endOnFailure: true },
  );
  expect(counted).toBeGreaterThan(sampled(400));
});
