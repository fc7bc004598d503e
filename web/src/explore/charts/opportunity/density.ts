import type { PlotDensity } from '@kc/rules/points-shapes';
import type { DensityEdges, PointsQuery } from '../../model/source.ts';
import type { Edges } from '../layout/layout.ts';
import type { PlotView, Scale } from './plot-scale.ts';

/** A window with more points than are drawn: its largest ones, and counts of the others by cell. */
export type Density = PlotDensity & { readonly query: PointsQuery; readonly edges: DensityEdges };

/** Cells are at least so many CSS pixels wide and high. */
const cellPx = 6;
const maxCells = { x: 192, y: 128 };

/**
 * The cells of the visible window. They lie on a grid of the whole axes, which gets finer with every doubling, so they
 * stay in place while the window moves. Those at its rim are cut off.
 */
export const windowEdges = (x: Scale, y: Scale, view: PlotView): DensityEdges => ({
  x: edgesOf(x, view.x, view.k, maxCells.x),
  y: edgesOf(y, view.y, view.k, maxCells.y),
});

function edgesOf({ from, to, anyAt }: Scale, start: number, k: number, max: number): number[] {
  const visible = Math.min(max, Math.max(1, Math.floor(Math.abs(to - from) / cellPx)));
  const count = visible * 2 ** Math.floor(Math.log2(k));
  const [first, last] = [start * count, (start + 1 / k) * count];
  const between = Array.from({ length: Math.ceil(last) - Math.floor(first) - 1 }, (_, i) => Math.floor(first) + 1 + i);
  return [first, ...between, last]
    .map((i) => anyAt(from + (i / count - start) * k * (to - from)))
    .filter((edge, at, edges) => at === 0 || edge > edges[at - 1]!);
}

/** The largest number of points in one cell. */
export const fullestIn = ({ cells }: Density): number => cells.rows.reduce((max, rows) => Math.max(max, rows), 0);

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
  const [column, line] = [intervalOf(edges.x, x), intervalOf(edges.y, y)];
  if (column === undefined || line === undefined) return undefined;
  const i = cells.at.indexOf(line * (edges.x.length - 1) + column);
  if (i < 0) return undefined;
  return {
    rows: cells.rows[i]!,
    known: (cells.known ?? cells.rows)[i]!,
    volume: cells.volume[i]!,
    x: [edges.x[column]!, edges.x[column + 1]!],
    y: [edges.y[line]!, edges.y[line + 1]!],
  };
}

function intervalOf(edges: readonly number[], value: number): number | undefined {
  if (value < edges[0]! || value > edges.at(-1)!) return undefined;
  return Math.min(
    edges.findLastIndex((edge) => edge <= value),
    edges.length - 2,
  );
}

export const sides = ['left', 'right', 'above', 'below'] as const;
export type Side = (typeof sides)[number];
type Share = { readonly x: number; readonly y: number };

/** The points out of view on one side: how many, and shares of both axes that the view must have to show them. */
export type Beyond = { readonly count: number; readonly reach: (view: PlotView) => readonly Share[] };

/** Room between a count and the edge that it stands at, in CSS pixels. */
export const insetPx = 4;

/** A count with its margins, in CSS pixels. */
const chipPx = { width: 60, height: 30 };

/** Where counts may stand: no name of a point covers them. */
export function edgeBoxes({ x0, y0, x1, y1 }: Edges): Edges[] {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const { width, height } = chipPx;
  const [left, top] = [x - width / 2, y - height / 2];
  return [
    { x0, y0: top, x1: x0 + width, y1: top + height },
    { x0: x1 - width, y0: top, x1, y1: top + height },
    { x0: left, y0, x1: left + width, y1: y0 + height },
    { x0: left, y0: y1 - height, x1: left + width, y1 },
  ];
}

/** The points of a list that are out of view. @param shares of both axes, one per point */
export function beyondView(
  view: PlotView,
  shares: { readonly x: Float64Array; readonly y: Float64Array },
): Record<Side, Beyond> {
  const points: Record<Side, Share[]> = { left: [], right: [], above: [], below: [] };
  for (let i = 0; i < shares.x.length; i++) {
    const point = { x: shares.x[i]!, y: shares.y[i]! };
    const side = sideOf(view, point);
    if (side) points[side].push(point);
  }
  return eachSide((side) => ({ count: points[side].length, reach: () => points[side] }));
}

/** The points that the server counted beyond a window. They may lie anywhere up to the end of the axis. */
export const beyondCells = ({ beyond }: Density): Record<Side, Beyond> =>
  eachSide((side) => ({ count: beyond[side], reach: (view) => [ends[side](view)] }));

const eachSide = (of: (side: Side) => Beyond): Record<Side, Beyond> => ({
  left: of('left'),
  right: of('right'),
  above: of('above'),
  below: of('below'),
});

const ends: Readonly<Record<Side, (view: PlotView) => Share>> = {
  left: ({ y }) => ({ x: 0, y }),
  right: ({ y }) => ({ x: 1, y }),
  above: ({ x }) => ({ x, y: 1 }),
  below: ({ x }) => ({ x, y: 0 }),
};

/** The side on which a point is out of view; undefined if it is in view. */
function sideOf({ x, y, k }: PlotView, point: { readonly x: number; readonly y: number }): Side | undefined {
  if (point.x < x) return 'left';
  if (point.x > x + 1 / k) return 'right';
  if (point.y < y) return 'below';
  return point.y > y + 1 / k ? 'above' : undefined;
}
