import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import type { View } from '../sums/filtered-pack.ts';
import { levelListsOf } from './level-lists.ts';
import { hardlyKnownAmong, largestOf, type PlotQuery, type PointColumns, plotRows, pointColumns } from './points.ts';

/** A window of a plot that has more rows than can be drawn one by one, and the grid of cells for the rest. */
export type DensityQuery = PlotQuery & {
  /**
   * The edges of the cells in values of the axes: where each begins, ascending, followed by the end of the last one. The caller chooses them
   * to fit the scales that it draws with.
   */
  readonly edges: { readonly x: readonly number[]; readonly y: readonly number[] };
  /** The most points to return. */
  readonly count: number;
};

export type Density = {
  /** The number of rows in the window. */
  readonly inside: number;
  /** The number of rows outside it. One that is both left or right and above or below counts as left or right. */
  readonly beyond: { readonly left: number; readonly right: number; readonly above: number; readonly below: number };
  /** The largest rows in the window. */
  readonly points: PointColumns;
  readonly cells: DensityCells;
};

/** The cells with rows that are not among the points, as columns with one value per cell. */
type DensityCells = {
  /** The number of the cell, counted from the lower left, line by line. Ascending. */
  readonly at: Uint32Array;
  /** The number of these rows in the cell, and how many of them have a known volume. */
  readonly rows: Uint32Array;
  readonly known: Uint32Array;
  /** The sum of the known volumes. A keyword that is in several rows counts in each of them. */
  readonly volume: Float64Array;
};

/**
 * The largest rows in a window of a plot, and counts and volumes of the others by cell. A value at an edge is in the
 * cell above it; one at the end of the window is in the last cell.
 * Cost: one pass over the rows of the level, two over those in the window, and the selection of the largest.
 *
 * @param pack the filtered pack if the query has a filter
 * @throws RangeError if the focus is not in the tree, or there is no such figure
 */
export async function takeDensity(pack: View, query: DensityQuery, pause: Pause = noPause): Promise<Density> {
  const plot = await plotRows(pack, query, pause);
  const { rows, placed, x, y } = plot;
  const volumes = await levelListsOf(pack).values(query, 'volume', pause);
  const [columns, lines] = [cellsBetween(query.edges.x), cellsBetween(query.edges.y)];
  const beyond = { left: 0, right: 0, above: 0, below: 0 };
  const inside = new Uint32Array(placed.length);
  const cells = new Uint32Array(placed.length);
  let length = 0;
  await eachPiece(placed.length, pause, (from, end) => {
    for (let nth = from; nth < end; nth++) {
      const at = placed[nth]!;
      const [across, up] = [x[at]!, y[at]!];
      if (across < columns.start) beyond.left++;
      else if (across > columns.end) beyond.right++;
      else if (up < lines.start) beyond.below++;
      else if (up > lines.end) beyond.above++;
      else {
        inside[length] = at;
        cells[length++] = lines.of(up) * columns.count + columns.of(across);
      }
    }
  });
  const seen = inside.subarray(0, length);
  const largest = await largestOf(seen, plot.size, query.count, pause);
  const drawn = largest.toSorted();
  const isHardlyKnown = await hardlyKnownAmong(
    pack,
    [query.x, query.y],
    drawn.map((at) => rows[at]!),
    pause,
  );
  const hardlyKnown = new Set(drawn.filter((_, nth) => isHardlyKnown[nth] === 1));
  return {
    inside: length,
    beyond,
    points: await pointColumns(
      pack,
      plot,
      largest,
      Uint8Array.from(largest, (at) => Number(hardlyKnown.has(at))),
    ),
    cells: await sumsOf({ seen, cells, drawn, volumes, count: columns.count * lines.count }, pause),
  };
}

type InCells = {
  /** The places (indices in the list of the level) of the rows in the window, ascending, and the cell of each. */
  readonly seen: Uint32Array;
  readonly cells: Uint32Array;
  /** The places of the rows that are points, ascending. */
  readonly drawn: Uint32Array;
  /** By place. */
  readonly volumes: Float64Array;
  /** The number of cells. */
  readonly count: number;
};

async function sumsOf({ seen, cells, drawn, volumes, count }: InCells, pause: Pause): Promise<DensityCells> {
  const [rows, known, volume] = [new Uint32Array(count), new Uint32Array(count), new Float64Array(count)];
  let nextDrawn = 0;
  await eachPiece(seen.length, pause, (from, end) => {
    for (let nth = from; nth < end; nth++) {
      const [at, cell] = [seen[nth]!, cells[nth]!];
      if (nextDrawn < drawn.length && at === drawn[nextDrawn]) {
        nextDrawn++;
        continue;
      }
      rows[cell]!++;
      const value = volumes[at]!;
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

/** Each axis of the window has this many slots of equal width. A lookup by slot leaves only few cells to search for a value. */
const slots = 1024;

/** The cells between ascending edges. `of`: the number of the last cell that begins at or below a value of the window. */
function cellsBetween(edges: readonly number[]) {
  const starts = Float64Array.from(edges);
  const count = starts.length - 1;
  const [start, end] = [starts[0]!, starts[count]!];
  const perUnit = slots / (end - start);
  /** By slot: the cell in which it begins. */
  const first = new Uint32Array(slots + 2).fill(count - 1);
  for (let slot = 0, cell = 0; slot <= slots; slot++) {
    while (cell < count - 1 && starts[cell + 1]! <= start + slot / perUnit) cell++;
    // Rounding may put a value one slot too high.
    first[slot] = Math.max(0, cell - 1);
  }
  return {
    start,
    end,
    count,
    of(value: number): number {
      const slot = Math.floor((value - start) * perUnit);
      let [low, high] = [first[slot]!, Math.min(count - 1, first[slot + 1]! + 2)];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]! <= value) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}
