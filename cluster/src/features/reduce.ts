import { type LinearMap, singularVectors } from './singular.ts';
import { normalised, rowCount, type Vectors } from './vectors.ts';

/** How many rows the directions are fitted on, evenly spaced. */
const sample = 2048;

/**
 * Takes away the direction that all vectors share most: in sentence encoders it says how common a text is, not what it is
 * about (Arora, Liang and Ma, 2017). With `dimensions`, keeps only so many of the directions that come after it.
 */
export function reduced(vectors: Vectors, dimensions?: number): Vectors {
  const directions = singularVectors(denseMap(sampled(vectors)), 1 + (dimensions ?? 0), 1);
  return normalised(
    dimensions === undefined ? withoutFirst(vectors, directions.right) : projected(vectors, directions, dimensions),
  );
}

function withoutFirst({ values, dimensions }: Vectors, direction: Float32Array): Vectors {
  const rest = values.slice();
  for (let row = 0; row < rest.length; row += dimensions) {
    let share = 0;
    for (let at = 0; at < dimensions; at++) share += rest[row + at]! * direction[at]!;
    for (let at = 0; at < dimensions; at++) rest[row + at]! -= share * direction[at]!;
  }
  return { values: rest, dimensions };
}

function projected(
  vectors: Vectors,
  { right, rank }: { readonly right: Float32Array; readonly rank: number },
  dimensions: number,
): Vectors {
  const rows = rowCount(vectors);
  const values = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const target = values.subarray(row * dimensions, (row + 1) * dimensions);
    for (let at = 0; at < vectors.dimensions; at++) {
      const factor = vectors.values[row * vectors.dimensions + at]!;
      for (let index = 1; index < rank; index++) target[index - 1]! += factor * right[at * rank + index]!;
    }
  }
  return { values, dimensions };
}

function sampled(vectors: Vectors): Vectors {
  const rows = rowCount(vectors);
  if (rows <= sample) return vectors;
  const { values, dimensions } = vectors;
  const picked = new Float32Array(sample * dimensions);
  for (let index = 0; index < sample; index++) {
    const row = Math.floor((index * rows) / sample);
    picked.set(values.subarray(row * dimensions, (row + 1) * dimensions), index * dimensions);
  }
  return { values: picked, dimensions };
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
          for (let index = 0; index < width; index++) product[row * width + index]! += factor * right[at * width + index]!;
        }
      return product;
    },
    transposedTimes(right, width) {
      const product = new Float32Array(columns * width);
      for (let row = 0; row < rows; row++)
        for (let at = 0; at < columns; at++) {
          const factor = values[row * columns + at]!;
          for (let index = 0; index < width; index++) product[at * width + index]! += factor * right[row * width + index]!;
        }
      return product;
    },
  };
}
