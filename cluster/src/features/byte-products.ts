import { rowCount, type Vectors } from './vectors.ts';

/** The number of columns in a run: {@link Products} also has the largest product of each run. */
export const columnsTogether = 32;

/** Rows as bytes, to be multiplied with columns: coordinates from 1 to 255, of which 128 is zero; each row's largest is 1 or 255. */
export type QueryRows = {
  readonly values: Uint8Array;
  readonly dimensions: number;
  /** A factor for each row. Its products times this are those of the vectors: cosines, if these have length 1. */
  readonly scale: Float32Array;
};

/** Rows as bytes, as the columns of a matrix. It is padded with zeros to a multiple of {@link columnsTogether} columns. */
export type Columns = {
  readonly dimensions: number;
  /** Dimensions × columns; a column's largest coordinate is 63 or −63. */
  readonly values: Int8Array;
  /** A factor for each column, which {@link Products} contain, so that the products of one query row can be compared. */
  readonly scale: Float32Array;
  /** The row that each column is; −1 for padding. */
  readonly row: Int32Array;
};

export type Products = {
  /** Query rows × columns. */
  readonly values: Float32Array;
  /** Query rows × columns / {@link columnsTogether}: the largest value of each run of columns. */
  readonly largest: Float32Array;
};

/** Multiplies every query row with every column. Sums are integers below 2³¹ and therefore exact in any order, so all machines find the same. */
export type MultiplyBytes = (queries: Uint8Array, columns: Columns) => Promise<Products>;

/** The same without native code: about ten times slower. */
export const multiplyPlainly: MultiplyBytes = async (queries, { dimensions, values: steps, scale }) => {
  const width = scale.length;
  const rows = queries.length / dimensions;
  const values = new Float32Array(rows * width);
  const largest = new Float32Array(values.length / columnsTogether);
  const sums = new Int32Array(width);
  for (let row = 0; row < rows; row++) {
    sums.fill(0);
    // Four coordinates at a time take half as long. Those after the last one are zero.
    for (let at = 0; at < dimensions; at += 4) {
      const factor = (nth: number) => (at + nth < dimensions ? queries[row * dimensions + at + nth]! - zeroStep : 0);
      const [first, second, third, fourth] = [factor(0), factor(1), factor(2), factor(3)];
      const [one, two, three, four] = [at * width, (at + 1) * width, (at + 2) * width, (at + 3) * width];
      for (let column = 0; column < width; column++)
        sums[column]! +=
          Math.imul(first, steps[one + column]!) +
          Math.imul(second, steps[two + column]!) +
          Math.imul(third, steps[three + column]!) +
          Math.imul(fourth, steps[four + column]!);
    }
    for (let column = 0; column < width; column++) values[row * width + column] = sums[column]! * scale[column]!;
  }
  for (let run = 0; run < largest.length; run++)
    largest[run] = Math.max(...values.subarray(run * columnsTogether, (run + 1) * columnsTogether));
  return { values, largest };
};

/**
 * Half of the range of a byte. Otherwise sums of two products would overflow 16 bits on the processors that add them so, and results would depend on
 * the processor.
 */
const largestColumnStep = 63;
const largestStep = 127;
/** The byte that stands for zero in query rows. */
export const zeroStep = 128;

export function queryRows(vectors: Vectors, first = 0, end = rowCount(vectors)): QueryRows {
  const { values, dimensions } = vectors;
  const steps = new Uint8Array((end - first) * dimensions);
  const scale = new Float32Array(end - first);
  for (let row = first; row < end; row++) {
    const start = row * dimensions;
    const largest = largestOf(values, start, dimensions);
    scale[row - first] = largest / largestStep;
    const factor = largestStep / (largest || 1);
    const shift = (row - first) * dimensions - start;
    // Truncation rounds, since the sum is positive.
    for (let at = start; at < start + dimensions; at++) steps[at + shift] = values[at]! * factor + (zeroStep + 0.5);
  }
  return { values: steps, dimensions, scale };
}

export function columnsOf({ values, dimensions }: Vectors, rows: Uint32Array): Columns {
  const width = columnsTogether * Math.ceil(rows.length / columnsTogether);
  const steps = new Int8Array(dimensions * width);
  const scale = new Float32Array(width);
  rows.forEach((row, column) => {
    const start = row * dimensions;
    scale[column] = largestOf(values, start, dimensions) / largestColumnStep;
    const factor = 1 / (scale[column]! || 1);
    for (let at = 0; at < dimensions; at++) steps[at * width + column] = Math.round(values[start + at]! * factor);
  });
  const row = new Int32Array(width).fill(-1);
  row.set(rows);
  return { dimensions, values: steps, scale, row };
}

function largestOf(values: Float32Array, start: number, length: number): number {
  let largest = 0;
  for (let at = start; at < start + length; at++) {
    const value = Math.abs(values[at]!);
    if (value > largest) largest = value;
  }
  return largest;
}
