import type { Pause } from '@kc/pack/format/in-pieces';
import { namesOf } from '@kc/pack/format/names-at';
import { type DensityQuery, takeDensity } from '@kc/pack/levels/density';
import type { PointColumns } from '@kc/pack/levels/points';
import { type PointsQuery, takePoints } from '@kc/pack/levels/points';
import type { View } from '@kc/pack/sums/filtered-pack';
import type { LevelPoints, PlotDensity, PointLists } from '@kc/rules/points-shapes';

/** Points of a level in the shape of the HTTP contract. @throws RangeError if a field is not in the pack */
export async function levelPoints(pack: View, query: PointsQuery, pause: Pause): Promise<LevelPoints> {
  const { points, unplaced, quadrants, volume, medians, limits, sides, ...counts } = await takePoints(
    pack,
    query,
    pause,
  );
  const names = await namesOf(pack, [...points.rows, ...unplaced]);
  return {
    ...counts,
    ...known({ volume }),
    ...(medians && { medians }),
    ...(limits && { limits: { x: [...limits.x], y: [...limits.y] } }),
    quadrants: quadrants.map(({ volume: one, ...others }) => ({ ...others, ...known({ volume: one }) })),
    sides,
    points: listsOf(points, names),
    unplaced: Array.from(unplaced, (row) => ({ node: row, name: names(row) })),
  };
}

/** A window of such a plot in the shape of the HTTP contract. @throws RangeError if a field is not in the pack */
export async function plotDensity(pack: View, query: DensityQuery, pause: Pause): Promise<PlotDensity> {
  const { points, cells, ...counts } = await takeDensity(pack, query, pause);
  const names = await namesOf(pack, points.rows);
  return {
    ...counts,
    points: listsOf(points, names),
    cells: {
      at: [...cells.at],
      rows: [...cells.rows],
      ...(cells.known.some((count, nth) => count < cells.rows[nth]!) && { known: [...cells.known] }),
      volume: [...cells.volume],
    },
  };
}

const listsOf = (points: PointColumns, names: (row: number) => string): PointLists => ({
  nodes: [...points.rows],
  names: Array.from(points.rows, (row) => names(row)),
  pillars: [...points.pillar],
  x: [...points.x],
  y: [...points.y],
  size: Array.from(points.size, (value) => (Number.isNaN(value) ? null : value)),
  hardly: [...points.isHardlyKnown],
});

const known = ({ volume }: { volume: number }) => (Number.isNaN(volume) ? {} : { volume });
