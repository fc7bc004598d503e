import type { PlotDensity } from '@kc/rules/points-shapes';
import type { DensityEdges, PointsQuery } from '../../model/source.ts';
import type { PlotView, Scale } from './plot-scale.ts';

/** A window with more points than are drawn: its largest ones, and counts of the others by cell. */
export type Density = PlotDensity & { readonly query: PointsQuery; readonly edges: DensityEdges };

/** Cells are at least so many CSS pixels wide and high. */
const cellPx = 6;
const maxCells = { x: 192, y: 128 };

/**
 * The cells of what is seen. They lie on a grid of the whole axes, which gets finer with every doubling, so that they
 * stay where they are while the window moves. Those at its rim are cut off.
 */
export const windowEdges = (x: Scale, y: Scale, view: PlotView): DensityEdges => ({
  x: edgesOf(x, view.x, view.k, maxCells.x),
  y: edgesOf(y, view.y, view.k, maxCells.y),
});

function edgesOf({ from, to, anyAt }: Scale, start: number, k: number, most: number): number[] {
  const seen = Math.min(most, Math.max(1, Math.floor(Math.abs(to - from) / cellPx)));
  const count = seen * 2 ** Math.floor(Math.log2(k));
  const [first, last] = [start * count, (start + 1 / k) * count];
  const between = Array.from(
    { length: Math.ceil(last) - Math.floor(first) - 1 },
    (_, nth) => Math.floor(first) + 1 + nth,
  );
  return [first, ...between, last]
    .map((nth) => anyAt(from + (nth / count - start) * k * (to - from)))
    .filter((edge, at, edges) => at === 0 || edge > edges[at - 1]!);
}

/** The most points that a cell holds. */
export const fullestIn = ({ cells }: Density): number => cells.rows.reduce((most, rows) => Math.max(most, rows), 0);

/** A cell that holds points that are not drawn. */
export type Cell = {
  readonly rows: number;
  /** Of how many of them the volume is known, and the sum of it. */
  readonly known: number;
  readonly volume: number;
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
};

/** The cell at a pair of values; undefined if it holds none, or the values are not in the window. */
export function cellAt({ edges, cells }: Density, x: number, y: number): Cell | undefined {
  const [column, line] = [nthOf(edges.x, x), nthOf(edges.y, y)];
  if (column === undefined || line === undefined) return undefined;
  const nth = cells.at.indexOf(line * (edges.x.length - 1) + column);
  if (nth < 0) return undefined;
  return {
    rows: cells.rows[nth]!,
    known: (cells.known ?? cells.rows)[nth]!,
    volume: cells.volume[nth]!,
    x: [edges.x[column]!, edges.x[column + 1]!],
    y: [edges.y[line]!, edges.y[line + 1]!],
  };
}

function nthOf(edges: readonly number[], value: number): number | undefined {
  if (value < edges[0]! || value > edges.at(-1)!) return undefined;
  return Math.min(
    edges.findLastIndex((edge) => edge <= value),
    edges.length - 2,
  );
}
