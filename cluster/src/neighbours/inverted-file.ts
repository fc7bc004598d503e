import { membersOf } from '../communities/partition.ts';
import { randomNumbers, shuffled } from '../communities/random.ts';
import { normalised, rowCount, type Vectors } from '../features/vectors.ts';
import { exactNeighbours } from './exact.ts';
import { Nearest, product } from './nearest.ts';
import type { NeighbourSearch, Neighbours } from './neighbours.ts';

/** Up to so many rows, all pairs are compared. */
const maxExact = 20_000;
/** Rows per cell that its centre is fitted on, and how often. */
const sampledPerCell = 16;
const rounds = 4;
/** The share of the cells that are searched for each row, and how many at least. */
const searchedShare = 0.04;
const minSearched = 8;

/**
 * Nearest neighbours without native code: rows are put into √n cells around centres (k-means), and only the rows of the
 * nearest cells are compared (an inverted file; Jégou, Douze and Schmid, 2011). Short lists are compared in full.
 *
 * @param exact up to how many rows all pairs are compared
 */
export const portableNeighbours =
  (exact = maxExact): NeighbourSearch =>
  (vectors) => {
    if (rowCount(vectors) <= exact) return exactNeighbours(vectors);
    const cells = cellsOf(vectors);
    return {
      among: async (count) => searched(vectors, cells, vectors, count, true),
      of: async (asked, count) => searched(vectors, cells, asked, count, false),
    };
  };

/** The rows of cell `c` are `row[offset[c]] … row[offset[c + 1] - 1]`. */
type Cells = { readonly centres: Vectors; readonly offset: Uint32Array; readonly row: Uint32Array };

function cellsOf(vectors: Vectors): Cells {
  const { values, dimensions } = vectors;
  const rows = rowCount(vectors);
  const count = Math.ceil(Math.sqrt(rows));
  const sample = shuffled(rows, randomNumbers(1)).subarray(0, sampledPerCell * count);
  let centres: Vectors = { values: new Float32Array(count * dimensions), dimensions };
  for (let cell = 0; cell < count; cell++)
    centres.values.set(
      values.subarray(sample[cell]! * dimensions, (sample[cell]! + 1) * dimensions),
      cell * dimensions,
    );
  for (let round = 0; round < rounds; round++) {
    const sums = new Float32Array(count * dimensions);
    for (const row of sample) {
      const cell = nearestCells(centres, vectors, row, 1)[0]!;
      for (let at = 0; at < dimensions; at++) sums[cell * dimensions + at]! += values[row * dimensions + at]!;
    }
    centres = normalised({ values: sums, dimensions });
  }
  const of = Int32Array.from({ length: rows }, (_, row) => nearestCells(centres, vectors, row, 1)[0]!);
  const { offset, node } = membersOf({ of, count });
  return { centres, offset, row: node };
}

function nearestCells(centres: Vectors, { values, dimensions }: Vectors, row: number, most: number): Int32Array {
  const nearest = new Nearest(1, most);
  for (let cell = 0; cell < rowCount(centres); cell++)
    nearest.offer(0, cell, product(values, row * dimensions, centres.values, cell * dimensions, dimensions));
  return nearest.found().to;
}

function searched(vectors: Vectors, cells: Cells, asked: Vectors, count: number, isSame: boolean): Neighbours {
  const { values, dimensions } = vectors;
  const nearest = new Nearest(rowCount(asked), count);
  const cellCount = rowCount(cells.centres);
  const most = Math.min(cellCount, Math.max(minSearched, Math.ceil(searchedShare * cellCount)));
  for (let row = 0; row < rowCount(asked); row++) {
    // In the order of cells, so that ties do not depend on which is nearest.
    for (const cell of nearestCells(cells.centres, asked, row, most).sort()) {
      for (let at = cells.offset[cell]!; at < cells.offset[cell + 1]!; at++) {
        const other = cells.row[at]!;
        if (isSame && other === row) continue;
        nearest.offer(row, other, product(asked.values, row * dimensions, values, other * dimensions, dimensions));
      }
    }
  }
  return nearest.found();
}
