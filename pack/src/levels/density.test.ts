import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, filter, packOf, root } from '../../test/support/filter-trees.ts';
import { sampled } from '../../test/support/sampled.ts';
import { levels } from '../vocabulary/choices.ts';
import { takeDensity } from './density.ts';
import { filterPack } from './filter-pack.ts';
import { takePoints } from './points.ts';

const edges = fc.uniqueArray(fc.integer({ min: -5, max: 110 }), { minLength: 2, maxLength: 9 });
const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);

/** The cell of a value, or -1 below and -2 above all cells. */
function cellOf(ends: readonly number[], value: number): number {
  if (value < ends[0]!) return -1;
  if (value > ends.at(-1)!) return -2;
  return Math.min(ends.length - 2, ends.filter((end) => end <= value).length - 1);
}

// Shows P14.18.
test('every row is a point, counted in its cell, or beyond the window on one side, for random trees and windows', async () => {
  let [counted, drawn, outside] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(root, entries, filter, edges, edges, async (hierarchy, keywords, asked, across, up) => {
      const { pack } = await packOf(hierarchy, keywords);
      const ends = { x: ascending(across), y: ascending(up) };
      for (const one of [pack, await filterPack(pack, asked)]) {
        for (const level of levels) {
          const figures = { level, within: 0, x: 'difficulty', y: 'volume', size: 'keywords' };
          // All of them, one by one.
          const { points: all } = await takePoints(one, { ...figures, count: 1e6, names: 0 });
          const places = Array.from(all.rows, (row, nth) => ({
            row,
            nth,
            column: cellOf(ends.x, all.x[nth]!),
            line: cellOf(ends.y, all.y[nth]!),
          }));
          const inside = places.filter(({ column, line }) => column >= 0 && line >= 0);
          const found = await takeDensity(one, { ...figures, edges: ends, count: 2 });
          expect(found.inside).toBe(inside.length);
          expect(found.beyond).toEqual({
            left: places.filter(({ column }) => column === -1).length,
            right: places.filter(({ column }) => column === -2).length,
            below: places.filter(({ column, line }) => column >= 0 && line === -1).length,
            above: places.filter(({ column, line }) => column >= 0 && line === -2).length,
          });
          const [largest, others] = [inside.slice(0, 2), inside.slice(2)];
          expect([...found.points.rows]).toEqual(largest.map(({ row }) => row));
          expect([...found.points.isHardlyKnown]).toEqual(largest.map(({ nth }) => all.isHardlyKnown[nth]));
          expect([...found.points.pillar]).toEqual(largest.map(({ nth }) => all.pillar[nth]));
          const cells = new Map<number, typeof others>();
          for (const one of others) {
            const cell = one.line * (ends.x.length - 1) + one.column;
            cells.set(cell, [...(cells.get(cell) ?? []), one]);
          }
          const inOrder = [...cells].sort(([a], [b]) => a - b);
          const held = inOrder.map(([, rows]) => rows);
          expect([...found.cells.at]).toEqual(inOrder.map(([cell]) => cell));
          expect([...found.cells.rows]).toEqual(held.map((rows) => rows.length));
          // The volume is one of the axes, so it is known.
          expect([...found.cells.known]).toEqual(held.map((rows) => rows.length));
          const volumes = held.map((rows) => rows.reduce((sum, { nth }) => sum + all.y[nth]!, 0));
          for (const [at, volume] of volumes.entries()) expect(found.cells.volume[at]).toBeCloseTo(volume, 6);
          counted += others.length;
          drawn += largest.length;
          outside += places.length - inside.length;
        }
      }
    }),
    { numRuns: sampled(150), endOnFailure: true, seed: 5 },
  );
  // The trees and windows have all cases.
  for (const count of [counted, drawn, outside]) expect(count).toBeGreaterThan(sampled(200));
});

test('the volume of a cell is that of the rows where it is known, for random trees whatever the axes are', async () => {
  let [known, unknown] = [0, 0];
  await fc.assert(
    fc.asyncProperty(root, entries, filter, async (hierarchy, keywords, asked) => {
      const { pack } = await packOf(hierarchy, keywords);
      for (const one of [pack, await filterPack(pack, asked)]) {
        for (const level of levels) {
          const figures = { level, within: 0, x: 'keywords', y: 'depth', size: 'volume' };
          // One cell holds all that has a place, and the size of a point is its volume.
          const ends = { x: [0, 1e9], y: [0, 1e9] };
          const { points } = await takePoints(one, { ...figures, count: 1e6, names: 0 });
          const { cells } = await takeDensity(one, { ...figures, edges: ends, count: 0 });
          if (points.rows.length === 0) continue;
          const volumes = points.size.filter((volume) => !Number.isNaN(volume));
          expect([...cells.rows]).toEqual([points.rows.length]);
          expect([...cells.known]).toEqual([volumes.length]);
          expect(cells.volume[0]).toBeCloseTo(
            volumes.reduce((sum, volume) => sum + volume, 0),
            6,
          );
          known += volumes.length;
          unknown += points.rows.length - volumes.length;
        }
      }
    }),
    { numRuns: sampled(60), endOnFailure: true, seed: 6 },
  );
  for (const count of [known, unknown]) expect(count).toBeGreaterThan(sampled(200));
});
