import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, filter, packOf, root } from '../../test/support/filter-trees.ts';
import { filterPack } from '../filter/filtered-pack.ts';
import { takeDensity } from './density.ts';
import { levels } from './level.ts';
import { takePoints } from './points.ts';

const edges = fc.uniqueArray(fc.integer({ min: -5, max: 110 }), { minLength: 2, maxLength: 9 });
const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);

/** The cell of a value, or -1 below and -2 above all cells. */
function cellOf(ends: readonly number[], value: number): number {
  if (value < ends[0]!) return -1;
  if (value > ends.at(-1)!) return -2;
  return Math.min(ends.length - 2, ends.filter((end) => end <= value).length - 1);
}

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
          expect([...found.points.isHardly]).toEqual(largest.map(({ nth }) => all.isHardly[nth]));
          expect([...found.points.pillar]).toEqual(largest.map(({ nth }) => all.pillar[nth]));
          const cells = new Map<number, number>();
          for (const { column, line } of others) {
            const cell = line * (ends.x.length - 1) + column;
            cells.set(cell, (cells.get(cell) ?? 0) + 1);
          }
          const inOrder = [...cells].sort(([a], [b]) => a - b);
          expect([...found.cells.at]).toEqual(inOrder.map(([cell]) => cell));
          expect([...found.cells.rows]).toEqual(inOrder.map(([, rows]) => rows));
          counted += others.length;
          drawn += largest.length;
          outside += places.length - inside.length;
        }
      }
    }),
    { numRuns: 150, endOnFailure: true, seed: 5 },
  );
  // The trees and windows have all cases.
  for (const count of [counted, drawn, outside]) expect(count).toBeGreaterThan(50);
}, 120_000);
