import type { FilteredPack } from '../filter/filtered-pack.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { hardlyAmong, largestOf, type PlotQuery, type PointColumns, plotRows, pointColumns } from './plot-rows.ts';
import { type RowValue, rowValues } from './row-values.ts';

/** A window of a plot with more rows than can be drawn one by one. */
export type DensityQuery = PlotQuery & {
  /**
   * Where the cells of the window begin, ascending, followed by the end of the last one; in values of the axes. Whoever
   * draws the cells chooses them, so that they fit its scales.
   */
  readonly edges: { readonly x: readonly number[]; readonly y: readonly number[] };
  /** The most points to return. */
  readonly count: number;
};

export type Density = {
  /** How many rows are in the window. */
  readonly inside: number;
  /** How many are not: to its left or right, else above or below. */
  readonly beyond: { readonly left: number; readonly right: number; readonly above: number; readonly below: number };
  /** The largest rows in the window. */
  readonly points: PointColumns;
  readonly cells: DensityCells;
};

/** The cells that hold rows which are no points, one item per cell in each column. */
export type DensityCells = {
  /** Its number: they are counted from the lower left, line by line. Ascending. */
  readonly at: Uint32Array;
  /** How many such rows it holds, and of how many of them the volume is known. */
  readonly rows: Uint32Array;
  readonly known: Uint32Array;
  /** The sum of these volumes. A keyword that is in several rows counts in each of them. */
  readonly volume: Float64Array;
};

/**
 * The largest rows in a window of a plot, and counts and volumes of the others by cell. A value at an edge is in the
 * cell above it; one at the end of the window is in the last cell.
 * Cost: one pass over the rows of the level, one over those in the window, and the selection of the largest.
 *
 * @param pack the filtered pack if the query has a filter
 * @throws RangeError if the focus is not in the tree, or there is no such figure
 */
export async function takeDensity(
  pack: PackReader | FilteredPack,
  query: DensityQuery,
  pause: Pause = noPause,
): Promise<Density> {
  const { rows, placed, xs, ys, ...values } = await plotRows(pack, query, pause);
  const [across, up] = [Float64Array.from(query.edges.x), Float64Array.from(query.edges.y)];
  const columns = across.length - 1;
  const beyond = { left: 0, right: 0, above: 0, below: 0 };
  const [left, right, bottom, top] = [across[0]!, across.at(-1)!, up[0]!, up.at(-1)!];
  const inside = new Uint32Array(placed.length);
  const cells = new Uint32Array(placed.length);
  let length = 0;
  await eachPiece(placed.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const [x, y] = [xs[at]!, ys[at]!];
      if (x < left) beyond.left++;
      else if (x > right) beyond.right++;
      else if (y < bottom) beyond.below++;
      else if (y > top) beyond.above++;
      else {
        inside[length] = placed[at]!;
        cells[length++] = cellOf(up, y) * columns + cellOf(across, x);
      }
    }
  });
  const seen = inside.subarray(0, length);
  const largest = await largestOf(seen, values.size, query.count, pause);
  const drawn = largest.toSorted();
  const volumes = await rowValues(pack, { by: 'volume' }, rows, pause);
  const hardly = await hardlyAmong(pack, [query.x, query.y], rows, drawn, pause);
  return {
    inside: length,
    beyond,
    points: await pointColumns(pack, largest, values, (row) => hardly.has(row)),
    cells: await sumsOf({ seen, cells, drawn, volumes, count: columns * (up.length - 1) }, pause),
  };
}

type InCells = {
  /** The rows in the window, ascending, and the cell of each. */
  readonly seen: Uint32Array;
  readonly cells: Uint32Array;
  /** Those that are points, ascending. */
  readonly drawn: Uint32Array;
  readonly volumes: RowValue;
  /** How many cells there are. */
  readonly count: number;
};

async function sumsOf({ seen, cells, drawn, volumes, count }: InCells, pause: Pause): Promise<DensityCells> {
  const [rows, known, volume] = [new Uint32Array(count), new Uint32Array(count), new Float64Array(count)];
  let nextDrawn = 0;
  await eachPiece(seen.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const [row, cell] = [seen[at]!, cells[at]!];
      if (row === drawn[nextDrawn]) {
        nextDrawn++;
        continue;
      }
      rows[cell]!++;
      const value = volumes(row);
      if (Number.isNaN(value)) continue;
      known[cell]!++;
      volume[cell]! += value;
    }
  });
  const at = Uint32Array.from(rows.keys()).filter((nth) => rows[nth]! > 0);
  return {
    at,
    rows: at.map((nth) => rows[nth]!),
    known: at.map((nth) => known[nth]!),
    volume: Float64Array.from(at, (nth) => volume[nth]!),
  };
}

/** The number of the cell that holds a value of the window: the last one that begins at or below it. */
function cellOf(edges: Float64Array, value: number): number {
  let [low, high] = [0, edges.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (edges[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
