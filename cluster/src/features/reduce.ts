import { type LinearMap, singularVectors } from './singular.ts';
import { normalised, rowCount, type Vectors } from './vectors.ts';

/** How many rows the directions are fitted on, evenly spaced. */
const sample = 2048;

/** Turns vectors of bytes, of any length and a multiple of four dimensions, into ones of length 1. */
export type Reduction = (vectors: Vectors<Int8Array>) => Vectors;

/**
 * Takes away the direction that all vectors share most: in sentence encoders it says how common a text is, not what it is
 * about (Arora, Liang and Ma, 2017). With `dimensions`, keeps only so many of the directions that come after it.
 *
 * @param vectors that the directions are fitted on
 */
export function reductionOf(vectors: Vectors<Int8Array>, dimensions?: number): Reduction {
  const directions = singularVectors(denseMap(sampled(vectors)), 1 + (dimensions ?? 0), 1);
  return (asked) =>
    dimensions === undefined ? withoutFirst(asked, directions.right) : projected(asked, directions, dimensions);
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

/** The coordinates of vectors along all directions but the first. */
function projected(
  vectors: Vectors<Int8Array>,
  { right, rank }: { readonly right: Float32Array; readonly rank: number },
  dimensions: number,
): Vectors {
  const width = vectors.dimensions;
  const values = new Float32Array(rowCount(vectors) * dimensions);
  for (let row = 0; row < rowCount(vectors); row++) {
    const target = row * dimensions - 1;
    // Four coordinates at a time, which saves reading and writing the sums three times out of four.
    for (let at = 0; at < width; at += 4) {
      const from = row * width + at;
      const a = vectors.values[from]!;
      const b = vectors.values[from + 1]!;
      const c = vectors.values[from + 2]!;
      const d = vectors.values[from + 3]!;
      const first = at * rank;
      for (let index = 1; index < rank; index++) {
        values[target + index]! +=
          a * right[first + index]! +
          b * right[first + rank + index]! +
          c * right[first + 2 * rank + index]! +
          d * right[first + 3 * rank + index]!;
      }
    }
  }
  return normalised({ values, dimensions });
}

/** At most so many rows, scaled to length 1. */
function sampled({ values, dimensions }: Vectors<Int8Array>): Vectors {
  const rows = rowCount({ values, dimensions });
  const count = Math.min(rows, sample);
  const picked = new Float32Array(count * dimensions);
  for (let index = 0; index < count; index++) {
    const row = Math.floor((index * rows) / count);
    picked.set(values.subarray(row * dimensions, (row + 1) * dimensions), index * dimensions);
  }
  return normalised({ values: picked, dimensions });
}

function denseMap(vectors: Vectors): LinearMap {
  const { values, dimensions: columns } = vectors;
  const rows = rowCount(vectors);
  return {
    rows,
    columns,
    times(right, width) {
      const product = new Float32Array(rows * width);
      for (let row = 0; row < rows; row++)
        for (let at = 0; at < columns; at++) {
          const factor = values[row * columns + at]!;
          for (let index = 0; index < width; index++)
            product[row * width + index]! += factor * right[at * width + index]!;
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
