import { type Columns, columnsOf, type MultiplyBytes, multiplyPlainly, queryRows, zeroStep } from './byte-products.ts';
import { type LinearMap, type SingularVectors, singularVectors } from './singular.ts';
import { normalised, rowCount, rowsAt, type Vectors } from './vectors.ts';

/** Power iterations with the Gram matrix. Its singular values are squares, so that one iteration is worth two. */
const gramIterations = 1;

/** How many rows the directions are fitted on, evenly spaced. */
const sample = 2048;

/** Turns vectors of bytes, of any length, into vectors of length 1. */
type Reduction = (vectors: Vectors<Int8Array>) => Promise<Vectors>;

/**
 * Removes the first singular direction, which all vectors share most: in sentence embeddings it says how common a text is, not what it is about
 * (Arora, Liang and Ma, 2017). With `dimensions`, keeps only that many of the directions after it.
 *
 * @param vectors that the directions are fitted on, or a sample of them
 */
export function reductionOf(
  vectors: Vectors<Int8Array>,
  dimensions?: number,
  multiply: MultiplyBytes = multiplyPlainly,
): Reduction {
  const fitted = sampled(vectors);
  if (dimensions === undefined) {
    const { right } = singularVectors(denseMap(fitted), 1, 1);
    return async (input) => withoutFirst(input, right);
  }
  const fitting = gramMap(fitted, multiply).then((map) =>
    columnsAfterFirst(singularVectors(map, 1 + dimensions, 1, gramIterations)),
  );
  // Awaiting a reduction rethrows the error. Until then, it must not count as an unhandled rejection.
  fitting.catch(() => undefined);
  return async (input) => projected(input, await fitting, dimensions, multiply);
}

function withoutFirst(vectors: Vectors<Int8Array>, direction: Float32Array): Vectors {
  const { values: rest, dimensions } = normalised({
    values: Float32Array.from(vectors.values),
    dimensions: vectors.dimensions,
  });
  for (let row = 0; row < rest.length; row += dimensions) {
    let share = 0;
    for (let at = 0; at < dimensions; at++) share += rest[row + at]! * direction[at]!;
    for (let at = 0; at < dimensions; at++) rest[row + at]! -= share * direction[at]!;
  }
  return normalised({ values: rest, dimensions });
}

/** All directions but the first. */
function columnsAfterFirst({ right, rank }: SingularVectors): Columns {
  const width = right.length / rank;
  const directions = new Float32Array((rank - 1) * width);
  for (let index = 1; index < rank; index++)
    for (let at = 0; at < width; at++) directions[(index - 1) * width + at] = right[at * rank + index]!;
  return columnsOf(
    { values: directions, dimensions: width },
    Uint32Array.from({ length: rank - 1 }, (_, row) => row),
  );
}

/** Rows that are multiplied at a time. */
const block = 8192;

/** The coordinates of vectors along some directions, scaled to length 1. If there are fewer directions than dimensions, the rest is 0. */
async function projected(
  { values: from, dimensions: width }: Vectors<Int8Array>,
  columns: Columns,
  dimensions: number,
  multiply: MultiplyBytes,
): Promise<Vectors> {
  const rows = from.length / width;
  const values = new Float32Array(rows * dimensions);
  const known = Math.min(dimensions, columns.row.length);
  for (let first = 0; first < rows; first += block) {
    const some = from.subarray(first * width, (first + block) * width);
    const queries = new Uint8Array(some.length);
    for (let at = 0; at < some.length; at++) queries[at] = some[at]! + zeroStep;
    const { values: products } = await multiply(queries, columns);
    for (let row = 0; row < some.length / width; row++) {
      const start = row * columns.row.length;
      values.set(products.subarray(start, start + known), (first + row) * dimensions);
    }
  }
  return normalised({ values, dimensions });
}

/** Copies at most {@link sample} rows, evenly spaced, scaled to length 1. */
function sampled(vectors: Vectors<Int8Array>): Vectors {
  const rows = rowCount(vectors);
  const count = Math.min(rows, sample);
  const picked = Uint32Array.from({ length: count }, (_, index) => Math.floor((index * rows) / count));
  return normalised(rowsAt(vectors, picked, new Float32Array(count * vectors.dimensions)));
}

function denseMap(vectors: Vectors): LinearMap {
  const { values, dimensions: columns } = vectors;
  const rows = rowCount(vectors);
  return {
    rows,
    columns,
    times(right, width) {
      const product = new Float32Array(rows * width);
      const inFours = columns - (columns % 4);
      for (let row = 0; row < rows; row++) {
        const [first, into] = [row * columns, row * width];
        // Four at a time, which saves three quarters of the reads and writes of sums.
        for (let at = 0; at < inFours; at += 4) {
          const [one, two, three, four] = [at * width, (at + 1) * width, (at + 2) * width, (at + 3) * width];
          const a = values[first + at]!;
          const b = values[first + at + 1]!;
          const c = values[first + at + 2]!;
          const d = values[first + at + 3]!;
          for (let index = 0; index < width; index++)
            product[into + index]! +=
              a * right[one + index]! + b * right[two + index]! + c * right[three + index]! + d * right[four + index]!;
        }
        for (let at = inFours; at < columns; at++)
          for (let index = 0; index < width; index++)
            product[into + index]! += values[first + at]! * right[at * width + index]!;
      }
      return product;
    },
    transposedTimes(right, width) {
      const product = new Float32Array(columns * width);
      for (let row = 0; row < rows; row++)
        for (let at = 0; at < columns; at++) {
          const factor = values[row * columns + at]!;
          for (let index = 0; index < width; index++)
            product[at * width + index]! += factor * right[row * width + index]!;
        }
      return product;
    },
  };
}

/**
 * The Gram matrix: the products of all pairs of columns. It has the same right singular vectors as the rows and is faster to multiply. It is computed
 * from bytes, whose rounding errors cancel out in sums over so many rows.
 */
async function gramMap(vectors: Vectors, multiply: MultiplyBytes): Promise<LinearMap> {
  const turned = transposed(vectors);
  const { dimensions: columns } = vectors;
  const queries = queryRows(turned);
  const all = columnsOf(
    turned,
    Uint32Array.from({ length: columns }, (_, column) => column),
  );
  const { values: found } = await multiply(queries.values, all);
  const width = all.row.length;
  const products = new Float32Array(columns * columns);
  // Query rows and columns are rounded differently; the mean makes the matrix symmetric.
  for (let one = 0; one < columns; one++)
    for (let other = 0; other < columns; other++)
      products[one * columns + other] =
        (found[one * width + other]! * queries.scale[one]! + found[other * width + one]! * queries.scale[other]!) / 2;
  const { times } = denseMap({ values: products, dimensions: columns });
  return { rows: columns, columns, times, transposedTimes: times };
}

function transposed(vectors: Vectors): Vectors {
  const { values, dimensions } = vectors;
  const rows = rowCount(vectors);
  const turned = new Float32Array(values.length);
  for (let row = 0; row < rows; row++)
    for (let at = 0; at < dimensions; at++) turned[at * rows + row] = values[row * dimensions + at]!;
  return { values: turned, dimensions: rows };
}
