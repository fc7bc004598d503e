import { membersOf } from '../communities/partition.ts';
import { randomNumbers, shuffled } from '../communities/random.ts';
import {
  type Columns,
  columnsOf,
  columnsTogether,
  type MultiplyBytes,
  multiplyPlainly,
  type QueryRows,
  queryRows,
} from '../features/byte-products.ts';
import { normalised, rowCount, rowsAt, type Vectors } from '../features/vectors.ts';
import { Nearest } from './nearest.ts';
import type { NeighbourIndex, NeighbourSearch, Neighbours } from './neighbours.ts';

/** With at most this many rows, all pairs are compared. */
const maxExact = 30_000;
/** How many rows are multiplied with how many columns at a time, which bounds the memory of products. */
const maxQueryRows = 512;
const maxColumns = 2048;
/** How many rows per cell the centres are fitted on, and in how many rounds of k-means. */
const sampledPerCell = 16;
const rounds = 4;
/** The share of the cells that are searched for each row, and their minimum number. */
const searchedShare = 0.05;
const minSearched = 24;

/**
 * Finds nearest neighbours by products of bytes, which processors multiply many at a time. Up to `exact` rows, all pairs are compared. More rows are
 * put into √n cells around centres (k-means), and each row is compared only with those of the cells that are nearest to it (an inverted file; Jégou,
 * Douze and Schmid, 2011).
 */
export const productNeighbours =
  (multiply: MultiplyBytes = multiplyPlainly, exact = maxExact): NeighbourSearch =>
  (vectors) =>
    indexOf(multiply, prepared(vectors, multiply, exact));

type Prepared = { readonly parts: Parts; readonly queries: QueryRows };

async function prepared(vectors: Vectors, multiply: MultiplyBytes, exact: number): Promise<Prepared> {
  const parts = rowCount(vectors) <= exact ? everything(vectors) : await inCells(vectors, multiply);
  return { parts, queries: queryRows(vectors) };
}

/** A function of its own, so that the index does not keep the vectors in memory, which are four times as large as bytes. */
const indexOf = (multiply: MultiplyBytes, preparing: Promise<Prepared>): NeighbourIndex => ({
  async among(count) {
    const { parts, queries } = await preparing;
    return search(multiply, parts, queries, count, true);
  },
  async of(vectors, count) {
    const { parts } = await preparing;
    return search(multiply, parts, queryRows(vectors), count, false);
  },
});

/** Rows as columns, in parts. With centres, each part is a cell, and is searched only for the rows that its centre is near. */
type Parts = { readonly columns: readonly Columns[]; readonly centres?: Vectors };

function everything(vectors: Vectors): Parts {
  const all = Uint32Array.from({ length: rowCount(vectors) }, (_, row) => row);
  return { columns: inBlocks(all, maxColumns).map((rows) => columnsOf(vectors, rows)) };
}

async function inCells(vectors: Vectors, multiply: MultiplyBytes): Promise<Parts> {
  const { dimensions } = vectors;
  const rows = rowCount(vectors);
  const count = Math.ceil(Math.sqrt(rows));
  const sample = shuffled(rows, randomNumbers(1)).subarray(0, sampledPerCell * count);
  const sampled = rowsAt(vectors, sample, new Float32Array(sample.length * dimensions));
  const queries = queryRows(sampled);
  let centres: Vectors = { values: sampled.values.slice(0, count * dimensions), dimensions };
  for (let round = 0; round < rounds; round++) {
    const cells = await nearestColumns(multiply, queries, everything(centres), 1);
    const sums = new Float32Array(count * dimensions);
    cells.to.forEach((cell, index) => {
      for (let at = 0; at < dimensions; at++) sums[cell * dimensions + at]! += sampled.values[index * dimensions + at]!;
    });
    centres = normalised({ values: sums, dimensions });
  }
  const of = new Int32Array(rows);
  const parts = everything(centres);
  for (let first = 0; first < rows; first += maxQueryRows) {
    const some = queryRows(vectors, first, Math.min(rows, first + maxQueryRows));
    of.set((await nearestColumns(multiply, some, parts, 1)).to, first);
  }
  const { offset, node } = membersOf({ of, count });
  const columns = Array.from({ length: count }, (_, cell) =>
    columnsOf(vectors, node.subarray(offset[cell], offset[cell + 1])),
  );
  return { columns, centres };
}

async function search(
  multiply: MultiplyBytes,
  { columns, centres }: Parts,
  queries: QueryRows,
  count: number,
  isSame: boolean,
): Promise<Neighbours> {
  const { to, similarity } = centres
    ? await throughCells(multiply, queries, columns, centres, count, isSame)
    : await nearestColumns(multiply, queries, { columns }, count, isSame);
  return { count, to, similarity: similarity.map((value, at) => value * queries.scale[Math.floor(at / count)]!) };
}

/** Finds the columns with the largest products. @param isSame whether rows and columns are the same, so that none finds itself */
async function nearestColumns(
  multiply: MultiplyBytes,
  queries: QueryRows,
  { columns }: Parts,
  count: number,
  isSame = false,
): Promise<Neighbours> {
  const nearest = new Nearest(queries.scale.length, count);
  const all = Uint32Array.from({ length: queries.scale.length }, (_, row) => row);
  for (const part of columns)
    for (const rows of inBlocks(all, maxQueryRows)) await offerProducts(multiply, queries, rows, part, nearest, isSame);
  return nearest.found();
}

async function throughCells(
  multiply: MultiplyBytes,
  queries: QueryRows,
  columns: readonly Columns[],
  centres: Vectors,
  width: number,
  isSame: boolean,
): Promise<Neighbours> {
  const searchedCells = Math.min(columns.length, Math.max(minSearched, Math.ceil(searchedShare * columns.length)));
  const cells = (await nearestColumns(multiply, queries, everything(centres), searchedCells)).to;
  const nearest = new Nearest(queries.scale.length, width);
  // The nearest cell first: after it, few rows of the other cells are near enough to be offered.
  for (const [first, last] of [
    [0, 1],
    [1, searchedCells],
  ] as const) {
    const some = cells.filter((_, at) => at % searchedCells >= first && at % searchedCells < last);
    const { offset, node } = membersOf({ of: some, count: columns.length });
    for (let cell = 0; cell < columns.length; cell++) {
      const searching = node.subarray(offset[cell], offset[cell + 1]).map((at) => Math.floor(at / (last - first)));
      for (const rows of inBlocks(searching, maxQueryRows))
        await offerProducts(multiply, queries, rows, columns[cell]!, nearest, isSame);
    }
  }
  return nearest.found();
}

/** Multiplies some rows with some columns, and offers the largest products. */
async function offerProducts(
  multiply: MultiplyBytes,
  queries: QueryRows,
  rows: Uint32Array,
  columns: Columns,
  nearest: Nearest,
  isSame: boolean,
): Promise<void> {
  const width = columns.row.length;
  if (width === 0 || rows.length === 0) return;
  const { values, largest } = await multiply(
    rowsAt(queries, rows, new Uint8Array(rows.length * queries.dimensions)).values,
    columns,
  );
  const runs = width / columnsTogether;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    let threshold = nearest.threshold(row);
    for (let run = 0; run < runs; run++) {
      if (largest[index * runs + run]! <= threshold) continue;
      for (let column = run * columnsTogether; column < (run + 1) * columnsTogether; column++) {
        const value = values[index * width + column]!;
        if (value <= threshold) continue;
        const other = columns.row[column]!;
        if (other < 0 || (isSame && other === row)) continue;
        nearest.offer(row, other, value);
        threshold = nearest.threshold(row);
      }
    }
  }
}

const inBlocks = (rows: Uint32Array, blockRows: number): Uint32Array[] =>
  Array.from({ length: Math.ceil(rows.length / blockRows) }, (_, at) =>
    rows.subarray(at * blockRows, (at + 1) * blockRows),
  );
