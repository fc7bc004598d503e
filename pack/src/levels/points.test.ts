import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, filter, packOf, root } from '../../test/support/filter-trees.ts';
import { distinctWithin, type OracleNode, plainNodes, rowsOfLevel } from '../../test/support/levels-oracle.ts';
import { sampled } from '../../test/support/sampled.ts';
import type { View } from '../sums/filtered-pack.ts';
import { levels } from '../vocabulary/choices.ts';
import { filterPack } from './filter-pack.ts';
import { takePoints } from './points.ts';

const isKnown = (value: number) => !Number.isNaN(value);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The figures of some rows as one set of keywords, from the definitions. */
function figuresOf(nodes: readonly OracleNode[], rows: readonly number[]) {
  const inside = distinctWithin(nodes, rows);
  const volumes = inside.map(({ volume }) => volume).filter(isKnown);
  const hard = inside.filter(({ difficulty }) => isKnown(difficulty));
  const volume = volumes.length === 0 ? Number.NaN : sum(volumes);
  const isWeighed = 2 * volumes.length >= inside.length && volume > 0;
  return {
    keywords: inside.length,
    volume,
    difficulty: hard.length === 0 ? Number.NaN : sum(hard.map(({ difficulty }) => difficulty)) / hard.length,
    volumeShare: volumes.length / inside.length,
    difficultyShare: isWeighed ? sum(hard.map((one) => one.volume || 0)) / volume : hard.length / inside.length,
  };
}

const threshold = fc.integer({ min: 0, max: 100 });

// Shows P14.9, P14.18.
test('points and the totals of their quadrants equal those of an oracle, for random trees and filters', async () => {
  let [divided, hardly, missing] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(root, entries, filter, threshold, threshold, async (hierarchy, keywords, asked, tx, ty) => {
      const { pack } = await packOf(hierarchy, keywords);
      const both: readonly View[] = [pack, await filterPack(pack, asked)];
      for (const one of both) {
        const nodes = await plainNodes(one);
        for (const level of [...levels, 'children'] as const) {
          const rows = rowsOfLevel(nodes, level, 0).filter((row) => !('kept' in one) || one.keeps(row));
          const figures = rows.map((row) => ({ row, ...figuresOf(nodes, [row]) }));
          const placed = figures.filter(({ volume, difficulty }) => isKnown(volume) && isKnown(difficulty));
          const isHardly = (of: (typeof figures)[number]) => of.volumeShare < 0.2 || of.difficultyShare < 0.2;
          const query = { level, within: 0, x: 'difficulty', y: 'volume', size: 'keywords', count: 2, names: 2 };
          const found = await takePoints(one, { ...query, tx, ty });
          expect([found.total, found.placed]).toEqual([rows.length, placed.length]);
          expect(found.missing).toEqual({
            x: figures.filter(({ difficulty }) => !isKnown(difficulty)).length,
            y: figures.filter(({ volume }) => !isKnown(volume)).length,
          });
          expect(found.hardly).toBe(placed.filter(isHardly).length);
          const largest = placed.toSorted((a, b) => b.keywords - a.keywords || a.row - b.row).slice(0, 2);
          expect([...found.points.rows]).toEqual(largest.map(({ row }) => row));
          expect(found.volume).toBe(figuresOf(nodes, rows).volume);
          hardly += found.hardly;
          missing += rows.length - placed.length;
          if (placed.length === 0) {
            expect([found.medians, found.quadrants]).toEqual([undefined, []]);
            continue;
          }
          divided++;
          const inQuadrants = [
            placed.filter((of) => of.difficulty <= tx && of.volume < ty),
            placed.filter((of) => of.difficulty > tx && of.volume < ty),
            placed.filter((of) => of.difficulty <= tx && of.volume >= ty),
            placed.filter((of) => of.difficulty > tx && of.volume >= ty),
          ];
          const totals = inQuadrants.map((of) => {
            const { keywords: distinct, volume } = figuresOf(
              nodes,
              of.map(({ row }) => row),
            );
            return { rows: of.length, hardly: of.filter(isHardly).length, keywords: distinct, volume };
          });
          expect(found.quadrants).toEqual(totals);
        }
      }
    }),
    { numRuns: sampled(150), endOnFailure: true, seed: 31 },
  );
  // The trees have all cases.
  for (const count of [divided, hardly, missing]) expect(count).toBeGreaterThan(sampled(80));
});
