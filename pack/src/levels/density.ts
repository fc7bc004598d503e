import type { FilteredPack } from '../filter/filtered-pack.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { hardlyAmong, largestOf, type PlotQuery, type PointColumns, plotRows, pointColumns } from './plot-rows.ts';

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
  /** The cells that hold others, and how many each holds. Cells are numbered from the lower left, line by line. */
  readonly cells: { readonly at: Uint32Array; readonly rows: Uint32Array };
};

/**
 * The largest rows in a window of a plot, and counts of the others by cell. A value at an edge is in the cell above it;
 * one at the end of the window is in the last cell.
 * Cost: one pass over the rows of the level, and the selection of the largest.
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
  const cell = (x: number, y: number) => cellOf(up, y) * columns + cellOf(across, x);
  const inside = new Uint32Array(placed.length);
  const counts = new Uint32Array(columns * (up.length - 1));
  let length = 0;
  await eachPiece(placed.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const [x, y] = [xs[at]!, ys[at]!];
      if (x < left) beyond.left++;
      else if (x > right) beyond.right++;
      else if (y < bottom) beyond.below++;
      else if (y > top) beyond.above++;
      else {
        counts[cell(x, y)]!++;
        inside[length++] = placed[at]!;
      }
    }
  });
  const largest = await largestOf(inside.subarray(0, length), values.size, query.count, pause);
  for (const row of largest) counts[cell(values.x(row), values.y(row))]!--;
  const cells = Uint32Array.from(counts.keys()).filter((nth) => counts[nth]! > 0);
  const hardly = await hardlyAmong(pack, [query.x, query.y], rows, largest.toSorted(), pause);
  return {
    inside: length,
    beyond,
    points: await pointColumns(pack, largest, values, (row) => hardly.has(row)),
    cells: { at: cells, rows: cells.map((nth) => counts[nth]!) },
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
